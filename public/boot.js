// Runs before the first paint, so that a dark page never flashes white, and whoever is signed in has the shell loaded beside the
// first files instead of after them. A file of its own because inline scripts are refused.
;(function () {
  var wish, token
  try {
    wish = JSON.parse(localStorage.getItem('theme') || 'null')
    token = localStorage.getItem('accessToken')
  } catch {}
  var dark =
    wish && wish.content !== 'system' ? wish.content === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'

  var shell = document.querySelector('meta[name=shell]')
  if (!shell || !token || /^\/($|retrievePassword|verify)/.test(location.pathname)) return
  shell.content.split(' ').forEach(function (file) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = file
    document.head.append(link)
  })
})()
