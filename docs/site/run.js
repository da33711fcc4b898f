// Runs a program inside its page: a button beside each link to the playground opens it in a frame below the program.
(() => {
  for (const link of document.querySelectorAll("p.run > a")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Run";
    button.setAttribute("aria-expanded", "false");
    let frame = null;
    button.addEventListener("click", () => {
      if (frame) {
        frame.remove();
        frame = null;
      } else {
        frame = document.createElement("iframe");
        frame.title = link.textContent;
        frame.src = link.href;
        frame.className = "playground";
        button.parentElement.after(frame);
      }
      button.textContent = frame ? "Close" : "Run";
      button.setAttribute("aria-expanded", String(frame !== null));
    });
    link.before(button);
  }
})();
