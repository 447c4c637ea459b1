import { personType } from '../../contract/core/codes/school.ts'
import { addDays } from '../core/base/clock.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoSchool } from './demo-school.ts'
import { createRandom } from './random.ts'

/** Days of sign-ins that the school goes back: two years. */
const days = 730
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) MicroMessenger/8.0',
  'Mozilla/5.0 (Linux; Android 15) Chrome/139.0',
]

/**
 * Sign-ins of two years, more of them lately and on working days: most of the staff, and those students who use the
 * console at all.
 */
export async function makeLogins(
  { db, schoolId, now }: DemoSchool,
  people: { suId: string; suiType: string }[],
): Promise<void> {
  const random = createRandom(730)
  const rows = people.flatMap(({ suId, suiType }) => {
    if (random.odds(suiType === personType.student ? 0.2 : 0.1)) return []
    const on = new Set(
      Array.from({ length: random.whole(2, suiType === personType.student ? 9 : 30) }, () =>
        Math.floor(days * random.next() ** 1.5),
      ),
    )
    return [...on].map((back) => {
      const day = addDays(now.slice(0, 10), -back)
      const hour = Math.min(
        random.one([8, 9, 9, 10, 11, 12, 14, 15, 16, 18, 19, 20, 21]),
        back === 0 ? Number(now.slice(11, 13)) : 23,
      )
      const times = random.one([1, 1, 1, 2, 3])
      const at = `${day} ${String(hour).padStart(2, '0')}:${String(random.whole(0, 59)).padStart(2, '0')}:00`
      return {
        schoolId,
        suId,
        logDay: day,
        times,
        hours: `{${Array.from({ length: 24 }, (_, one) => (one === hour ? times : 0)).join(',')}}`,
        lastTime: at > now ? now : at,
        ip: `10.${random.whole(1, 4)}.${random.whole(0, 31)}.${random.whole(2, 250)}`,
        agent: random.one(agents),
      }
    })
  })
  await bulkInsert(db, 'loginDay', rows)
}
