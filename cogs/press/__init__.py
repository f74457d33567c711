"""A press in, an answer out: what every button, menu and command goes through, whatever it is about.

Nothing that lasts lives in a View: buttons and menus (`components`) carry what they mean in their custom_id
(`custom_ids`), so a restart loses nothing. `router` leads every press to its handler, and `boundary` answers every
error with a sentence. `reply` answers in time, `places` knows what Discord allows where somebody pressed, and `rights`
what a person may do with a match. `attachments` makes files, and `one_at_a_time` limits long work.
"""
