import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** Makes the address's parameters into what they shall be. `replace`: going back does not lead to the former ones. */
export type ChangeAddress = (change: (now: URLSearchParams) => URLSearchParams, options?: { replace?: boolean }) => void

/**
 * The parameters of the address, and how to change them. A change is made to the address as it stands, not to what the
 * page was last drawn with: that may be a change behind whoever clicks quickly, and the one before would be lost.
 */
export function useAddress(): [URLSearchParams, ChangeAddress] {
  const [query, setQuery] = useSearchParams()
  const change = useCallback<ChangeAddress>(
    (make, options) => setQuery(() => make(new URLSearchParams(window.location.search)), options),
    [setQuery],
  )
  return [query, change]
}

/** Sets these parameters and leaves the others; an empty one goes. */
export function withParams(values: Record<string, string | undefined>): (now: URLSearchParams) => URLSearchParams {
  return (now) => {
    const next = new URLSearchParams(now)
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    return next
  }
}

/**
 * The record that is looked at beside what a page shows, by its id in the address. Stepping on from one to the next is
 * one visit: going back closes it. What stands there under the name (`preview.lang`) goes with it.
 */
export function usePreview(name = 'preview'): [shown: string | undefined, show: (id: string | undefined) => void] {
  const [query, change] = useAddress()
  const shown = query.get(name) ?? undefined
  const show = (id: string | undefined) =>
    change(
      (now) => {
        const kept = [...now].filter(([key]) => id !== undefined || !key.startsWith(`${name}.`))
        return withParams({ [name]: id })(new URLSearchParams(kept))
      },
      { replace: shown !== undefined },
    )
  return [shown, show]
}

/**
 * Which of a few ways a page shows what it shows, in its address; the first where none stands there. Going back does
 * not lead to the former ones.
 */
export function useChoice<V extends string>(
  name: string,
  values: readonly [V, ...V[]],
): [chosen: V, choose: (value: V) => void] {
  const [query, change] = useAddress()
  const chosen = values.find((value) => value === query.get(name)) ?? values[0]
  return [chosen, (next) => change(withParams({ [name]: next === values[0] ? undefined : next }), { replace: true })]
}

/**
 * Which part of a page is open, in its address as `tab=`, and what the tabs that lead from part to part are given.
 * `labels` names the parts; the first is open where none stands in the address. What else stands there belongs to the
 * part that is left, and goes.
 */
export function usePart<V extends string>(
  labels: Readonly<Record<V, string>>,
): {
  open: V
  tabs: { activeKey: V; onChange: (key: string) => void; items: { key: V; label: string }[] }
} {
  const [query, change] = useAddress()
  const parts = Object.keys(labels) as [V, ...V[]]
  const open = parts.find((part) => part === query.get('tab')) ?? parts[0]
  return {
    open,
    tabs: {
      activeKey: open,
      onChange: (key) => change(() => new URLSearchParams(key === parts[0] ? {} : { tab: key })),
      items: parts.map((key) => ({ key, label: labels[key] })),
    },
  }
}
