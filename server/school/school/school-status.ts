import { Failure } from '../../../contract/core/failure.ts'

/** What a school that moves to another installation is meanwhile (`school.moveState`, decision 127). */
export const moveState = { none: '', moving: 'moving', moved: 'moved' } as const

interface SchoolStatus {
  suspendedTime: string | null
  moveState: string
  movedTo: string
}

/** Why nobody of a school gets in: it is suspended, is moving or has moved. Undefined where it works. Pure. */
export function unavailableReason({ suspendedTime, moveState: state, movedTo }: SchoolStatus): Failure | undefined {
  if (suspendedTime === null) return undefined
  if (state === moveState.moved) return new Failure('school-moved', { address: movedTo })
  return new Failure(state === moveState.moving ? 'school-moving' : 'school-suspended')
}

/** Whether those who are signed in may go on reading: also while the school moves. Pure. */
export const mayRead = ({ suspendedTime, moveState: state }: SchoolStatus): boolean =>
  suspendedTime === null || state === moveState.moving
