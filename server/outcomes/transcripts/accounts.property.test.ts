import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { partakeMode } from '../../../contract/core/codes/programme.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import { newId } from '../../core/base/ids.ts'
import { anyAction, take, type CreditAction, type CreditState } from '../../testing/credit-actions.ts'
import { checkAccounts, checkLedger } from '../../testing/credit-accounts.ts'
import { creditWorld, type CreditWorld } from '../../testing/credits.ts'
import { fuzz } from '../../testing/fuzz.ts'
import { testApp } from '../../testing/app.ts'
import { refreshSchool } from '../statistics/refresh.service.ts'

/**
 * Whatever is held, disputed, corrected, taken back and calculated anew in whatever order: the ledger is what the facts
 * give, and every account of it says the same, on paper, on screens, in sheets and in figures. `FUZZ_RUNS` and
 * `FUZZ_SEED` look further.
 */

/** Hours of a term at most, in hundredths. */
const cap = 600
let world: CreditWorld

beforeAll(async () => {
  // in the midst of a term, so that all that a student does in a few days falls into one
  const { clock } = await testApp()
  const [year, day] = [Number(clock.now().slice(0, 4)), '-10-20 09:00:00']
  clock.travelTo(`${clock.now() < `${year}${day}` ? year : year + 1}${day}`)
  world = await creditWorld()
  const { school } = world
  await world.group('同一竞赛')
  await school.rules({ termCapHours: String(cap / 100), termCapFree: [] })
  const rule = {
    schoolId: school.schoolId,
    effectFrom: '2020-01-01',
    modeRules: JSON.stringify([{ partakeMode: partakeMode.teamMember, factor: 50 }]),
  }
  await school.ctx.db
    .insertInto('evaluation')
    .values([
      {
        ...rule,
        esId: newId(),
        lsId: school.curriculum['SXCL']!,
        esLessonLevel: '5',
        baseHours: 100,
        credit: 5,
        points: 50,
      },
      {
        ...rule,
        esId: newId(),
        lsId: school.curriculum['JNTC']!,
        esLessonLevel: '3',
        baseHours: 200,
        credit: 20,
        points: 100,
      },
    ])
    .execute()
}, 60_000)

/** Two students of a class of their own, far enough in their studies to be granted more than the term's cap. */
async function freshState(): Promise<{ state: CreditState; scClassId: string }> {
  const { school, place } = world
  const suiGrade = String(Number(school.clock.now().slice(0, 4)) - 5)
  const scClassId = await school.schoolClass(place.majorId, place.suiCollegeId)
  const students = await school.students(2, { ...place, scClassId, suiGrade })
  return { state: { students, records: [], caps: [cap, cap] }, scClassId }
}

/** A correction that leaves another record standing at nothing, which once was taken for one taken back. */
const standsAtNothing: CreditAction[] = [
  { do: 'record', rule: 'grouped', who: 0, award: true, half: false },
  { do: 'hold', rule: 'grouped', results: ['1', '3'], isReversed: false },
  { do: 'complete' },
  { do: 'correct', nth: 0, award: false, half: false },
  { do: 'record', rule: 'free', who: 0, award: false, half: false },
  { do: 'dispute', nth: 0, who: 1, way: 'remove' },
]

/** Two who come into the statistics at once, with the same stamp. */
const twoAtOnce: CreditAction[] = [
  { do: 'record', rule: 'grouped', who: 0, award: true, half: true, isNoticed: true },
  { do: 'record', rule: 'free', who: 1, award: true, half: false },
]

/** A record in notice, and one credited, that are questioned: corrected, then taken out. */
const questioned: CreditAction[] = [
  { do: 'record', rule: 'grouped', who: 0, award: true, half: false, isNoticed: true },
  { do: 'record', rule: 'grouped', who: 0, award: false, half: true },
  { do: 'question', nth: 0, way: 'correct', award: false, half: true },
  { do: 'question', nth: 1, way: 'correct', award: true, half: false },
  { do: 'complete' },
  { do: 'question', nth: 0, way: 'refuse', award: false, half: false },
  { do: 'question', nth: 1, way: 'remove', award: false, half: false },
]

test('in whatever order: the ledger is what the facts give, and every account says the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 5, maxLength: 9 }), async (actions) => {
      const { state, scClassId } = await freshState()
      for (const action of actions) {
        const told = await take(world, state, action)
        // what the settlement of a question tells to have changed is what has changed in the ledger
        if (told) expect(toHundredths(told.creditDelta.replace('-', ''))).toBe(Math.abs(told.changed))
        await checkLedger(world, state)
      }
      await refreshSchool(world.school.ctx, world.school.schoolId)
      await checkAccounts(world, state, scClassId)
    }),
    { ...fuzz(12), examples: [[standsAtNothing], [questioned], [twoAtOnce], [twoAtOnce]] },
  )
}, 600_000)
