// The bar: whose turn it is, and for every member the places with what is new there. The server has the state. This
// page asks for it, draws it, and shows the place that is open. One place is open at a time, so one tab has the page:
// the one that was opened last. The other tabs say that, and close their place.

const PAUSE = 700;
const NEAR = 100;
const ANSWERED = 10_000;

const turns = document.getElementById("turns");
const members = document.getElementById("members");
const frame = document.getElementById("frame");

const tab = crypto.randomUUID();

let drawn = "";
let shown = "";
let shownLayout = "";

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function opener(member, place, ...children) {
  const button = element("button", { type: "button", onclick: () => open(member, place) }, ...children);
  button.dataset.key = `${member} ${place}`;
  return button;
}

function placeButton(state, member, place) {
  const button = opener(member.id, place.id, place.name);
  if (place.meant) button.append(element("span", { className: "count" }, String(place.meant)));
  else if (place.unread) button.append(element("span", { className: "new" }, "•"));
  if (state.member === member.id && state.place === place.id) button.setAttribute("aria-current", "true");
  const news = place.unread ? `, ${place.unread} new, ${place.meant} of them for ${member.name}` : "";
  button.setAttribute("aria-label", `${place.name} as ${member.name}${news}`);
  return button;
}

function card(state, member) {
  const onTurn = state.turns.some((turn) => turn.member === member.id);
  const name = element("h2", {}, member.name);
  if (onTurn) name.append(" ", element("small", {}, "to play"));
  const places = element("div", { className: "places" }, ...member.places.map((place) => placeButton(state, member, place)));
  return element("section", { className: onTurn ? "member turn" : "member" }, name, places);
}

// The text at the top while it's nobody's turn: how to begin.
function beginning(state) {
  const alone = element("strong", {}, state.alone);
  return ["It's nobody's turn. Join an open table, or send ", alone, " to open one of your own: computers can join it."];
}

// Another tab has the page: this one closes its place, and offers a button to get the page back.
function stepAside() {
  frame.src = "about:blank";
  frame.hidden = true;
  shown = "";
  turns.replaceChildren(
    element("span", {}, "The preview is open in another tab or window."),
    element("button", { type: "button", onclick: here }, "Use it here"),
  );
  members.replaceChildren();
  document.title = "Ambit: in another tab";
}

function draw(state) {
  const text = JSON.stringify(state);
  if (text === drawn) return;
  drawn = text;
  if (state.tab !== tab) {
    if (state.tab) stepAside();
    else here();
    return;
  }
  frame.hidden = false;
  const focused = document.activeElement?.dataset?.key;
  const waiting = [
    ...state.turns.map((turn) => opener(turn.member, turn.place, `${turn.match}: ${turn.name}’s turn`)),
    ...state.thinking.map((sentence) => element("span", {}, sentence)),
  ];
  turns.replaceChildren(...(waiting.length ? waiting : [element("span", {}, ...beginning(state))]));
  members.replaceChildren(...state.members.map((member) => card(state, member)));
  if (focused) document.querySelector(`[data-key="${focused}"]`)?.focus();
  if (state.frame !== shown) {
    shown = state.frame;
    frame.src = shown;
  }
  // A place was opened, or a new thread has moved the cards: the open place's button comes into view.
  const layout = `${shown} ${members.querySelectorAll("button").length}`;
  if (layout !== shownLayout) {
    shownLayout = layout;
    members.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }
  const whose = state.turns.map((turn) => turn.name).join(", ");
  document.title = whose ? `Ambit: ${whose}` : "Ambit";
}

// SimCord scrolls to the latest message before its pictures have a height. When a new message pushes an old one out,
// SimCord keeps the scroll position instead. Here, a person who has scrolled to the end stays at the end, whatever
// grows or goes above. A person who pressed a button further up and gets a new message for it is taken there, too.
function keepLatestInView(timeline) {
  const messages = frame.contentDocument.getElementById("channel-message-list");
  let height = 0;
  let atEnd = true;
  let pressed = -ANSWERED;
  let latest = messages.lastElementChild;
  timeline.addEventListener("scroll", () => {
    // If the height has changed, too, it wasn't a person who scrolled.
    if (timeline.scrollHeight === height) atEnd = height - timeline.clientHeight - timeline.scrollTop <= NEAR;
  });
  const observer = new ResizeObserver(() => {
    if (atEnd) timeline.scrollTop = timeline.scrollHeight;
    height = timeline.scrollHeight;
  });
  observer.observe(messages);
  observer.observe(timeline);
  timeline.addEventListener("click", ({ target }) => {
    if (target.closest(".component-button")) pressed = performance.now();
  }, true);
  new MutationObserver(() => {
    const before = latest;
    latest = messages.lastElementChild;
    if (latest === before || performance.now() - pressed > ANSWERED) return;
    atEnd = true;
    timeline.scrollTop = timeline.scrollHeight;
  }).observe(messages, { childList: true });
}

// To open a menu, SimCord draws all messages again. At first their pictures have no height. So the scroll position is
// lost, and SimCord closes the menu at once because it is out of sight. To prevent that, give each picture from the
// start the size that it had before. Then scroll the menu to where it was pressed, before SimCord looks for it.
function keepMenusInView(timeline) {
  const sizes = new Map();
  let pressed = 0;
  const pictures = () => {
    const found = [];
    for (const message of timeline.querySelectorAll("[data-message-id]")) {
      message.querySelectorAll("img").forEach((picture, index) => found.push([`${message.dataset.messageId} ${index}`, picture]));
    }
    return found;
  };
  const look = () => {
    for (const [key, picture] of pictures()) {
      if (picture.naturalWidth) sizes.set(key, [picture.naturalWidth, picture.naturalHeight]);
      else if (sizes.has(key)) [picture.width, picture.height] = sizes.get(key);
    }
  };
  timeline.addEventListener("load", look, true);
  timeline.addEventListener("click", ({ target }) => (pressed = target.getBoundingClientRect().top), true);
  new MutationObserver(look).observe(timeline, { childList: true, subtree: true });
  const elements = frame.contentWindow.HTMLElement.prototype;
  const show = elements.showPopover;
  elements.showPopover = function showPopover(...options) {
    look();
    timeline.scrollTop += this.parentElement.getBoundingClientRect().top - pressed;
    return show.apply(this, options);
  };
  look();
}

frame.addEventListener("load", () => {
  if (!shown) return;
  const timeline = frame.contentDocument?.getElementById("channel-timeline");
  if (!timeline) {
    // The place was closed while it loaded: load it again, unless another one is shown by then.
    const wanted = shown;
    setTimeout(() => { if (shown === wanted) frame.contentWindow.location.reload(); }, PAUSE);
    return;
  }
  keepLatestInView(timeline);
  keepMenusInView(timeline);
});

async function ask(path, request) {
  const answer = await fetch(path, request);
  if (!answer.ok) throw new Error(await answer.text());
  draw(await answer.json());
}

async function open(member, place) {
  try {
    await ask("/ambit/open", { method: "POST", body: JSON.stringify({ tab, member, place }) });
  } catch {
    drawn = "";
  }
}

async function here() {
  try {
    await ask("/ambit/here", { method: "POST", body: JSON.stringify({ tab }) });
  } catch {
    drawn = "";
  }
}

async function follow() {
  try {
    await ask("/ambit/state");
  } catch {
    drawn = "";
    turns.textContent = "The preview has stopped. Start it again with “make play”.";
  }
  setTimeout(follow, PAUSE);
}

await here();
follow();
