import { useSyncExternalStore } from 'react'

/** The school's own mark as a data address, shown where the product's mark stands; null where it has none. */
let brand: string | null = null
const listeners = new Set<() => void>()

export function setBrand(logo: string | null): void {
  brand = logo
  for (const listener of listeners) listener()
}

export const useBrand = (): string | null => useSyncExternalStore(subscribe, () => brand)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
