import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { describe, expect, test } from 'vitest'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import type { Tables } from './pool.ts'
import { from, withinSchool } from './tenant.ts'

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const reader = { db, schoolId: 's1' }

describe('the SQL of a query that begins with from', () => {
  test.each([
    {
      name: 'a table without deletion marks: the school only',
      query: from(reader, 'college').select('scName'),
      sql: 'select "scName" from "college" where "college"."schoolId" = $1',
    },
    {
      name: 'a table with marks: nothing deleted, as a constant that a partial index serves',
      query: from(reader, 'lesson').select('liName').where('liStatus', '=', lessonStatus.publishPassed),
      sql: `select "liName" from "lesson" where "lesson"."schoolId" = $1 and "lesson"."delFlag" = '0' and "liStatus" = $2`,
    },
    {
      name: 'with deleted rows',
      query: from(reader, 'lesson', { withDeleted: true }).select('liName'),
      sql: 'select "liName" from "lesson" where "lesson"."schoolId" = $1',
    },
    {
      name: 'under another name',
      query: from(reader, 'person as p').select('p.suiName'),
      sql: `select "p"."suiName" from "person" as "p" where "p"."schoolId" = $1 and "p"."delFlag" = '0'`,
    },
    {
      name: 'of the school of the signed-in person',
      query: from({ db, actor: { schoolId: 's1' } }, 'term').select('tmName'),
      sql: 'select "tmName" from "term" where "term"."schoolId" = $1',
    },
  ])('$name', ({ query, sql }) => {
    const compiled = query.compile()
    expect(compiled.sql).toBe(sql)
    expect(compiled.parameters[0]).toBe('s1')
  })

  test('a join within the school compares the school and the columns, of outer and inner joins alike', () => {
    const { sql } = from(reader, 'college')
      .innerJoin('person as dean', withinSchool('dean.suiCollegeId', 'college.scId'))
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'dean.scClassId'))
      .select('dean.suiName')
      .compile()
    expect(sql).toBe(
      'select "dean"."suiName" from "college"' +
        ' inner join "person" as "dean" on "dean"."schoolId" = "college"."schoolId" and "dean"."suiCollegeId" = "college"."scId"' +
        ' left join "schoolClass" on "schoolClass"."schoolId" = "dean"."schoolId" and "schoolClass"."scClassId" = "dean"."scClassId"' +
        ' where "college"."schoolId" = $1',
    )
  })
})

test('what does not fit the tables does not compile', () => {
  // @ts-expect-error only a table that marks deleted rows can be asked for them
  from(reader, 'college', { withDeleted: true })
  // @ts-expect-error this table belongs to no school
  from(reader, 'installation')
  // @ts-expect-error no such column
  from(reader, 'person').leftJoin('college', withinSchool('college.scNumber', 'person.suiCollegeId'))
  // @ts-expect-error a table that the query does not have
  from(reader, 'person').leftJoin('college', withinSchool('college.scId', 'major.scId'))
  // @ts-expect-error a column without its table
  from(reader, 'person').leftJoin('college', withinSchool('scId', 'person.suiCollegeId'))
  expect(from(reader, 'person').compile().parameters).toEqual(['s1'])
})
