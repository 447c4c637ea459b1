// Runs in the page before anything else of it: notes in `window.seen`, in milliseconds since the address was opened,
// when it could first be used (its heading stands, or what `window.awaited` selects, and it answers) and when it changed
// last.
window.seen = { lastChange: 0, usable: 0 }
new MutationObserver(() => {
  const { seen } = window
  seen.lastChange = performance.now()
  if (seen.usable !== 0 || !document.querySelector(window.awaited ?? 'h1')) return
  seen.usable = -1
  // two frames on, whatever kept the page from answering has been done
  requestAnimationFrame(() => requestAnimationFrame(() => (seen.usable = performance.now())))
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
