import { useEffect, useState } from 'react'
import { identityApi } from '../../contract/school/identity/identity.calls.ts'
import { send } from '../core/service/api.ts'
import type { IdentityButton } from './identity.ts'

/** Milliseconds without a further key after which a code that is being typed is taken for whole. */
const typingMs = 300

/** The ways to sign in that a school offers besides the password; none while it is not known. */
export function useIdentityButtons(schoolId: string | undefined): IdentityButton[] {
  const [buttons, setButtons] = useState<IdentityButton[]>([])
  useEffect(() => {
    setButtons([])
    if (!schoolId) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      send(identityApi.buttons, { schoolId }, { quiet: true, signal: stop.signal })
        .then(setButtons)
        .catch(() => undefined)
    }, typingMs)
    return () => (clearTimeout(timer), stop.abort())
  }, [schoolId])
  return buttons
}
