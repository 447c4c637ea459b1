import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react'
import { notify } from '../service/notice-store.ts'

/** A component whose code is fetched when it is first wanted. */
interface OnDemand<P> {
  /** Fetches the code; what has failed is tried anew with the next call, which React's `lazy` never does. */
  load: () => Promise<ComponentType<P>>
  /** The component, once its code is there. */
  loaded: () => ComponentType<P> | undefined
}

/** The address of code that did not come, as the browser names it. */
const addressIn = (error: unknown): string | undefined =>
  error instanceof Error ? /https?:\/\/\S+\.js(?=\s|$)/.exec(error.message)?.[0] : undefined

/** A file that exports a component under a name. */
type FileWith<N extends string, P> = Record<N, ComponentType<P>>

/** The file in what was loaded: itself, or one of several that the bundler has put together. */
const fileIn = <N extends string, P>(loaded: object, name: N): FileWith<N, P> =>
  [loaded, ...Object.values(loaded)].find(
    (one): one is FileWith<N, P> => typeof one === 'object' && one !== null && name in one,
  )!

/**
 * Keeps a component for as long as the page lives, and nothing of a failure to load it.
 * @param fetch imports the file
 * @param name under which the file exports it
 */
export function onDemand<N extends string, P>(fetch: () => Promise<FileWith<N, P>>, name: N): OnDemand<P> {
  let component: ComponentType<P> | undefined
  let underWay: Promise<ComponentType<P>> | undefined
  let failed: string | undefined
  let tries = 0
  // many browsers remember for the life of a page that an address failed: the next try is made at another one
  const importFile = async (): Promise<FileWith<N, P>> =>
    failed ? fileIn<N, P>((await import(/* @vite-ignore */ `${failed}?try=${++tries}`)) as object, name) : fetch()
  const load = async () => {
    try {
      return (component ??= (await importFile())[name])
    } catch (error) {
      failed ??= addressIn(error)
      throw error
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
export function dialogOnDemand<N extends string, P extends { onClose: () => void }>(
  fetch: () => Promise<FileWith<N, P>>,
  name: N,
): (props: P) => ReactNode {
  const dialog = onDemand(fetch, name)
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
