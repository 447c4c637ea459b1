import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react'
import { notify } from '../service/notice-store.ts'

/** A component whose code is fetched when it is first wanted. */
interface OnDemand<P> {
  /** Fetches the code; what has failed is tried anew with the next call, which React's `lazy` never does. */
  load: () => Promise<ComponentType<P>>
  /** The component, once its code is there. */
  loaded: () => ComponentType<P> | undefined
}

/** Keeps a component for as long as the page lives, and nothing of a failure to load it. */
export function onDemand<P>(fetch: () => Promise<ComponentType<P>>): OnDemand<P> {
  let component: ComponentType<P> | undefined
  let underWay: Promise<ComponentType<P>> | undefined
  const load = async () => {
    try {
      return (component ??= await fetch())
    } finally {
      underWay = undefined
    }
  }
  return { load: () => (underWay ??= load()), loaded: () => component }
}

/** Tells that code did not come. @param what `日历`, where a sentence can name it */
export const tellNotLoaded = (what = ''): void => notify('error', `${what}未能载入，请检查网络后重试`)

/**
 * A dialog whose code comes when it is first opened. Where it does not come that is told and the dialog is closed
 * again, so that the next click tries anew and the screen behind it stands.
 */
export function dialogOnDemand<P extends { onClose: () => void }>(
  fetch: () => Promise<ComponentType<P>>,
): (props: P) => ReactNode {
  const dialog = onDemand(fetch)
  return function DialogOnDemand(props) {
    const [Dialog, setDialog] = useState(dialog.loaded)
    const giveUp = useEffectEvent(() => {
      tellNotLoaded()
      props.onClose()
    })
    useEffect(() => {
      let isGone = false
      dialog.load().then(
        (loaded) => isGone || setDialog(() => loaded),
        () => isGone || giveUp(),
      )
      return () => {
        isGone = true
      }
    }, [])
    return Dialog && <Dialog {...props} />
  }
}
