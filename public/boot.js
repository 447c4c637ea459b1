// Runs before the first paint, so that a dark page never flashes white. A file of its own because inline scripts are refused.
(function () {
  var wish
  try {
    wish = JSON.parse(localStorage.getItem('theme') || 'null')
  } catch {}
  var dark = wish && wish.content !== 'system' ? wish.content === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
