import { createStore, useStore } from './store.ts'

/** The school's own mark as a data address, shown where the product's mark stands; null where it has none. */
const brand = createStore<string | null>(null)

export const setBrand = (logo: string | null): void => brand.set(logo)

export const useBrand = (): string | null => useStore(brand)
