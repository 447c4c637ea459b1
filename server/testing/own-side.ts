import { addMinutes } from '../core/base/clock.ts'
import { clientHash } from '../core/secrets/passwords.ts'
import { setPassword } from '../school/people/accounts.service.ts'
import { signIn } from './client.ts'
import type { LessonWorld } from './lessons.ts'
import { move } from './participants.ts'
import { testPassword } from './school.ts'

/** Students of a world, signed in as on their phones. */
export async function signedIn(world: LessonWorld, count: number) {
  const { school } = world
  return Promise.all(
    (await world.students(count)).map(async (student) => {
      await setPassword(school.ctx, school.schoolId, student.suId, clientHash(testPassword))
      return { ...student, client: await signIn(school.address, school.schoolId, student.suiNumber, testPassword) }
    }),
  )
}
export type StudentClient = Awaited<ReturnType<typeof signedIn>>[number]

/** Puts a course of one session so that it begins in some minutes and lasts an hour. */
export async function beginsIn(world: LessonWorld, liId: string, minutes: number): Promise<void> {
  const startTime = addMinutes(world.school.clock.now(), minutes)
  const times = { startTime, endTime: addMinutes(startTime, 60) }
  await move(world, liId, times)
  await world.school.ctx.db
    .updateTable('lessonSession')
    .set(times)
    .where('schoolId', '=', world.school.schoolId)
    .where('liId', '=', liId)
    .execute()
}
