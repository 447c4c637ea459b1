import { expect, test } from 'vitest'
import { schoolsOf } from '../../core/database/statement-schools.ts'

const tablesOfSchools = {
  divided: new Set(['lesson', 'registration', 'college', 'person']),
  undivided: new Set(['session']),
}

const cases: [why: string, statement: string, tables: string[]][] = [
  ['a parameter names the school', `select 1 from "lesson" where "schoolId" = $1`, []],
  ['nothing names it', `select 1 from "lesson" where "liId" = $1`, ['lesson']],
  [
    'a table that is not divided ties what is joined to it, and needs no school itself',
    `select 1 from "session" s join "person" p on p."schoolId" = s."schoolId" where s."sessionId" = $1`,
    ['person'],
  ],
  ['many schools are no school', `select 1 from "lesson" where "schoolId" = any($1)`, ['lesson']],
  ['a table without schools needs none', `select 1 from "installation"`, []],
  [
    'a join ties its rows',
    `select 1 from "lesson" l join "college" c on c."schoolId" = l."schoolId" where l."schoolId" = $1`,
    [],
  ],
  [
    'a join by the id alone does not',
    `select 1 from "lesson" l join "college" c on c."scId" = l."scId" where l."schoolId" = $1`,
    ['college'],
  ],
  [
    'two tables tied to each other alone',
    `select 1 from "lesson" l join "college" c on c."schoolId" = l."schoolId"`,
    ['lesson', 'college'],
  ],
  [
    'joined by name',
    `select 1 from "lesson" l join "college" c using ("schoolId", "scId") where l."schoolId" = $1`,
    [],
  ],
  [
    'a query within that is tied to the one around it',
    `select (select count(*) from "registration" r where r."schoolId" = l."schoolId") from "lesson" l where "schoolId" = $1`,
    [],
  ],
  [
    'a query within that is not',
    `select 1 from "lesson" l where l."schoolId" = $1 and exists (select 1 from "registration" r where r."liId" = l."liId")`,
    ['registration'],
  ],
  [
    'a CTE hands its school on',
    `with x as (select "schoolId", "liId" from "lesson" where "schoolId" = $1)
     select 1 from x join "registration" r on r."schoolId" = x."schoolId"`,
    [],
  ],
  [
    'a CTE that knows none',
    `with x as (select "schoolId" from "lesson") select 1 from x join "registration" r on r."schoolId" = x."schoolId"`,
    ['lesson', 'registration'],
  ],
  [
    'a recursive CTE',
    `with recursive x as (select "schoolId", "scId" from "college" where "schoolId" = $1
     union all select c."schoolId", c."scId" from "college" c join x on x."schoolId" = c."schoolId") select 1 from x`,
    [],
  ],
  ['inserted by values', `insert into "lesson" ("schoolId", "liId") values ($1, $2), ($1, $3)`, []],
  ['inserted without it', `insert into "lesson" ("liId") values ($1)`, ['lesson']],
  [
    'inserted from a query',
    `insert into "registration" ("liId", "schoolId") select "liId", "schoolId" from "lesson" where "schoolId" = $1`,
    [],
  ],
  ['inserted with a value from a query', `insert into "lesson" ("schoolId", "liId") select $1, unnest($2::uuid[])`, []],
  [
    'inserted from a query of all',
    `insert into "registration" ("liId", "schoolId") select "liId", "schoolId" from "lesson"`,
    ['registration', 'lesson'],
  ],
  [
    'changed beside another table',
    `update "lesson" l set "liName" = c."scName" from "college" c where l."schoolId" = $1 and c."schoolId" = l."schoolId"`,
    [],
  ],
  ['removed by its id', `delete from "lesson" where "liId" = $1`, ['lesson']],
  [
    'inserted from what is handed in',
    `insert into "lesson" ("schoolId", "liId") select r."schoolId", r."liId"
     from json_populate_recordset((select t from "lesson" t where false), $1::json) r`,
    [],
  ],
  [
    'compared in rows',
    `select 1 from "lesson" l, "registration" r where (r."schoolId", r."liId") = (l."schoolId", l."liId") and l."schoolId" = $1`,
    [],
  ],
]

test.each(cases)('%s: %s', (_why, statement, tables) => {
  expect(schoolsOf(statement, tablesOfSchools).untied).toEqual(tables)
})

const bound: [why: string, statement: string, bound: string][] = [
  [
    'a query within learns its school',
    `select (select count(*) from "registration" r where r."schoolId" = l."schoolId") from "lesson" l where l."schoolId" = $2`,
    `select (select count(*) from "registration" r where r."schoolId" = l."schoolId" and r."schoolId" = $2) from "lesson" l where l."schoolId" = $2`,
  ],
  [
    'the same the other way round, behind letters of several bytes',
    `select '第二课堂' from "lesson" l where "schoolId" = $1 and exists (select from "registration" r where l."schoolId" = r."schoolId")`,
    `select '第二课堂' from "lesson" l where "schoolId" = $1 and exists (select from "registration" r where l."schoolId" = r."schoolId" and r."schoolId" = $1)`,
  ],
  [
    'a table beside a query or a CTE',
    `with x as (select "schoolId" from "lesson" where "schoolId" = $1) select 1 from x join "registration" r on r."schoolId" = x."schoolId"`,
    `with x as (select "schoolId" from "lesson" where "schoolId" = $1) select 1 from x join "registration" r on r."schoolId" = x."schoolId" and r."schoolId" = $1`,
  ],
  [
    'tables side by side need nothing',
    `select 1 from "lesson" l join "college" c on c."schoolId" = l."schoolId" where l."schoolId" = $1`,
    `select 1 from "lesson" l join "college" c on c."schoolId" = l."schoolId" where l."schoolId" = $1`,
  ],
  [
    'what is joined where it is there learns its school',
    `select 1 from "lesson" l left join "college" c on c."schoolId" = l."schoolId" and c."scId" = l."scId" where l."schoolId" = $1`,
    `select 1 from "lesson" l left join "college" c on c."schoolId" = l."schoolId" and c."schoolId" = $1 and c."scId" = l."scId" where l."schoolId" = $1`,
  ],
  [
    'what names no school stays as it is',
    `select 1 from "lesson" l where exists (select from "registration" r where r."schoolId" = l."schoolId")`,
    `select 1 from "lesson" l where exists (select from "registration" r where r."schoolId" = l."schoolId")`,
  ],
]

test.each(bound)('%s: %s', (_why, statement, expected) => {
  expect(schoolsOf(statement, tablesOfSchools).bound).toBe(expected)
})

const scattered: [why: string, statement: string, tables: string[]][] = [
  ['a parameter at the table', `select 1 from "lesson" where "schoolId" = $1`, []],
  [
    'compared in rows across levels',
    `select 1 from "lesson" l where l."schoolId" = $1
     and exists (select from "registration" r where (r."schoolId", r."liId") = (l."schoolId", l."liId"))`,
    ['registration'],
  ],
  [
    'tied to what a query gives that reads no parameter as the school',
    `select 1 from "registration" r join (select max("schoolId") "schoolId" from "lesson" where "schoolId" = $1) l
     on r."schoolId" = l."schoolId" where r."schoolId" = $1`,
    [],
  ],
]

test.each(scattered)('seen before it runs, %s: %s', (_why, statement, tables) => {
  expect(schoolsOf(statement, tablesOfSchools).scattered).toEqual(tables)
})
