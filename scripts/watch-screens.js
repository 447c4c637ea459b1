// Runs in the page before anything else of it: notes in `window.screenState`, at every frame, when something stands of a
// screen that was gone to (`seen`), since when nothing of it loads (`ready`), both in milliseconds since the click, and
// for how long that has been so (`rest`).
{
  const busy = '.ant-skeleton, .bone, .ant-spin-spinning, [aria-busy="true"]'
  const shown = (selector) => [...document.querySelectorAll(selector)].find((one) => one.checkVisibility())
  let began = 0
  let former
  let restSince = 0
  const state = {
    seen: 0,
    ready: 0,
    rest: 0,
    go(address) {
      former = shown('h1')
      state.seen = state.ready = state.rest = restSince = 0
      began = performance.now()
      history.pushState({}, '', address)
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    },
  }
  const look = () => {
    const now = performance.now()
    const heading = shown('h1')
    const isBusy = shown(busy) !== undefined
    const isThere = heading !== undefined && heading !== former
    if (state.seen === 0 && (isThere || (isBusy && heading !== former))) state.seen = now - began
    if (!isThere || isBusy) restSince = state.ready = 0
    else if (restSince === 0) {
      restSince = now
      state.ready = now - began
    }
    state.rest = restSince === 0 ? 0 : now - restSince
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  window.screenState = state
}
