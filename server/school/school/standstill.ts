import { Failure } from '../../../contract/core/failure.ts'

/** What a school that moves to another installation is meanwhile (`school.moveState`, decision 127). */
export const moveState = { none: '', moving: 'moving', moved: 'moved' } as const

export interface Standing {
  suspendedTime: string | null
  moveState: string
  movedTo: string
}

/** Why nobody of a school gets in; undefined where it works. Pure. */
export function standstillOf({ suspendedTime, moveState: state, movedTo }: Standing): Failure | undefined {
  if (suspendedTime === null) return undefined
  if (state === moveState.moved) return new Failure('school-moved', { address: movedTo })
  return new Failure(state === moveState.moving ? 'school-moving' : 'school-suspended')
}

/** Whether those who are signed in may go on looking while the school stands still. Pure. */
export const mayLook = ({ suspendedTime, moveState: state }: Standing): boolean =>
  suspendedTime === null || state === moveState.moving
