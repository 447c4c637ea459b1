import { expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { migrations } from '../../migrations/index.ts'
import { asOwner, testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool } from '../../testing/school.ts'

await useOwnDatabase()

const facts = ['suiNation', 'suiIdType', 'provinceId', 'cityId', 'areaId', 'specialty', 'remark'] as const
const name = '202611270210-forget-the-removed'

test('an upgrade takes from people who were removed before what removal takes today, and nothing from others', async () => {
  const school = await newSchool()
  const gone = await school.person('GUIDE_TEACHER')
  const bare = await school.person('GUIDE_TEACHER')
  const there = await school.person('GUIDE_TEACHER')
  const { db } = school.ctx
  const filled = Object.fromEntries(facts.map((fact) => [fact, '01']))
  await school.setPerson(gone.suId, { ...filled, delFlag: yesNo.yes })
  await school.setPerson(bare.suId, { delFlag: yesNo.yes })
  await school.setPerson(there.suId, filled)
  const people = () =>
    db
      .selectFrom('person')
      .select(['suId', 'version', ...facts])
      .where('schoolId', '=', school.schoolId)
      .where('suId', 'in', [gone.suId, bare.suId, there.suId])
      .execute()
  const of = async (suId: string) => (await people()).find((one) => one.suId === suId)!
  const before = await of(there.suId)

  // the database of the tests has run it when it was empty
  await asOwner(
    async (owner) => {
      await owner.deleteFrom('migrationProgress').where('name', '=', name).execute()
      await migrations[name]!.up(owner as never)
    },
    await testDatabase(),
  )
  const empty = Object.fromEntries(facts.map((fact) => [fact, null]))
  expect(await of(gone.suId)).toMatchObject(empty)
  expect(await of(bare.suId)).toMatchObject(empty)
  expect(await of(there.suId)).toEqual(before)
  expect(before).toMatchObject(filled)
  const { rowCount } = await db
    .selectFrom('migrationProgress')
    .select('rowCount')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  expect(Number(rowCount)).toBe(1)
})
