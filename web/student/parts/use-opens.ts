import { useSession } from '../../app/session.ts'
import { opensTo } from '../held.ts'

/** Whether whoever is signed in has a page: what leads to it is drawn for nobody else. */
export function useOpens(path: string): boolean {
  const profile = useSession()?.profile
  return profile !== undefined && opensTo(profile, path)
}
