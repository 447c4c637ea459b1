import { randomBytes } from 'node:crypto'
import { Failure } from '../../../contract/core/failure.ts'

/**
 * A new key: school and kind for whoever looks into the store, two levels of folders so that none grows large, 128
 * random bits.
 */
export function newStoreKey({ schoolId, kind }: { schoolId: string; kind: string }): string {
  const name = randomBytes(16).toString('hex')
  return checkedKey(`${schoolId}/${kind}/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`)
}

/** What a content is of, or the key it is to have. */
export type StoredAs = { schoolId: string; kind: string } | { storeKey: string }

/** The key that is given, or a new one. @throws for a key that is none of ours */
export const keyFor = (about: StoredAs): string =>
  'storeKey' in about ? checkedKey(about.storeKey) : newStoreKey(about)

/** Whether a text has the form of a key of the file store. */
export const isStoreKey = (text: string): boolean =>
  /^[\w-]{1,32}\/[a-z-]{1,20}\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{32}$/.test(text)

/** Keys are ours alone; anything else is refused before it can become a path. */
export function checkedKey(storeKey: string): string {
  if (!isStoreKey(storeKey)) throw new Failure('not-found')
  return storeKey
}
