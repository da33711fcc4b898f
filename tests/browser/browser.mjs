// What all tests in a browser have in common. Each test brings playwright-core from the packages beside it.

/** Launch the browser without what a test does not need. */
export const launch = (chromium, executablePath) => chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Collect in `wrong` what a page must not do: errors, warnings, dialogs, and requests for addresses that are not its own. */
export function watch(page, wrong, isOwn, isExpected = () => false) {
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !isExpected(message.text())) wrong.push(message.text()); });
  page.on("dialog", (dialog) => { wrong.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => { if (!isOwn(request.url())) wrong.push(`asks for ${request.url()}`); });
}
