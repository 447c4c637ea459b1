import { sql, type Kysely } from 'kysely'

/**
 * Events of changed records are written row by row (decision 079). What was and what became of a statement's rows were
 * joined before, and PostgreSQL keeps the plan of a join inside a function: made for one row, it compared each of
 * thousands with each, and a change of 10,000 registrations took more than a minute. A condition at the trigger also
 * spares the call where nothing changed that is told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of Object.entries(changes).flatMap(parts)) await sql.raw(part).execute(db)
  for (const part of inserts) await sql.raw(part).execute(db)
}

const person = (schoolId: string, suId: string) => `(
    select jsonb_build_object('suId', p."suId", 'suiNumber', p."suiNumber", 'suiName', p."suiName")
    from "person" p where p."schoolId" = ${schoolId} and p."suId" = ${suId}
  )`
const course = (row: string) =>
  `jsonb_build_object('liId', ${row}."liId", 'liNo', ${row}."liNo", 'liName', ${row}."liName", 'liStatus', ${row}."liStatus")`
const participation = (row: string) => `jsonb_build_object(
    'laId', ${row}."laId", 'laStatus', ${row}."laStatus", 'laSignStatus', ${row}."laSignStatus",
    'course', (select ${course('l')} from "lesson" l where l."schoolId" = ${row}."schoolId" and l."liId" = ${row}."liId"),
    'person', ${person(`${row}."schoolId"`, `${row}."suId"`)}
  )`
const supplement = (row: string) => `jsonb_build_object(
    'lisId', ${row}."lisId", 'lisName', ${row}."lisName", 'lisType', ${row}."lisType", 'lisStatus', ${row}."lisStatus",
    'person', ${person(`${row}."schoolId"`, `${row}."suId"`)}
  )`
const dispute = (row: string) => `jsonb_build_object(
    'qId', ${row}."qId", 'liId', ${row}."liId", 'lisId', ${row}."lisId", 'qType', ${row}."qType",
    'qStatus', ${row}."qStatus", 'qOutcome', ${row}."qOutcome"
  )`
const transcript = (row: string) => `jsonb_build_object(
    'tiId', ${row}."tiId", 'serial', ${row}."serial", 'tiStatus', ${row}."tiStatus",
    'person', ${person(`${row}."schoolId"`, `${row}."suId"`)}
  )`
const member = (row: string) => `jsonb_build_object(
    'suiType', ${row}."suiType", 'suiStatus', ${row}."suiStatus",
    'person', jsonb_build_object('suId', ${row}."suId", 'suiNumber', ${row}."suiNumber", 'suiName', ${row}."suiName")
  )`

/** Whether a person belongs to the school: neither removed nor left. */
const isHere = (row: string) =>
  `(${row}."delFlag" = '0' and ${row}."suiStatus" not in ('3', case ${row}."suiType" when '1' then '4' else '2' end))`

interface Change {
  /** The columns whose change can be an event. */
  columns: string[]
  data: string
  /** Kind of event, and when the change is one. */
  kinds: [kind: string, applies: string][]
}

const changes: Record<string, Change> = {
  lesson: {
    columns: ['liStatus'],
    data: course('new'),
    kinds: [
      ['course.submitted', `new."liStatus" = '10'`],
      ['course.approved', `old."liStatus" = '10' and new."liStatus" in ('20', '30')`],
      ['course.refused', `new."liStatus" = '11'`],
      ['course.published', `new."liStatus" = '30' and old."liStatus" in ('0', '10', '11', '20', '90')`],
      ['course.takenDown', `new."liStatus" = '90'`],
      ['course.cancelled', `new."liStatus" in ('91', '92')`],
      ['result.submitted', `new."liStatus" = '40'`],
      ['result.approved', `old."liStatus" = '40' and new."liStatus" in ('50', '60')`],
      ['result.refused', `new."liStatus" = '41'`],
      ['publicity.begun', `new."liStatus" = '60' and old."liStatus" <> '61'`],
      ['publicity.ended', `old."liStatus" in ('60', '61') and new."liStatus" = '70'`],
    ],
  },
  registration: {
    columns: ['laStatus', 'laSignStatus', 'delFlag'],
    data: participation('new'),
    kinds: [
      ['registration.accepted', `new."laStatus" = '1' and old."laStatus" <> '1' and new."delFlag" = '0'`],
      [
        'registration.cancelled',
        `(new."laStatus" in ('4', '6', '7') and old."laStatus" not in ('2', '4', '6', '7'))
            or (new."delFlag" = '1' and old."delFlag" = '0' and old."laStatus" in ('0', '1', '3', '5'))`,
      ],
      [
        'attendance.signedIn',
        `new."laSignStatus" in ('1', '2', '7') and old."laSignStatus" not in ('1', '2', '3', '4', '7')
            and new."delFlag" = '0'`,
      ],
    ],
  },
  supplement: {
    columns: ['lisStatus'],
    data: supplement('new'),
    kinds: [
      ['supplement.submitted', `new."lisStatus" = '1'`],
      ['supplement.approved', `old."lisStatus" in ('0', '1') and new."lisStatus" in ('2', '5')`],
      ['supplement.refused', `new."lisStatus" = '3'`],
    ],
  },
  question: {
    columns: ['qStatus', 'qOutcome'],
    data: dispute('new'),
    kinds: [
      [
        'dispute.settled',
        `(new."qStatus" = '3' and old."qStatus" <> '3') or (new."qOutcome" is not null and old."qOutcome" is null)`,
      ],
    ],
  },
  transcriptIssue: {
    columns: ['tiStatus'],
    data: transcript('new'),
    kinds: [['transcript.revoked', `new."tiStatus" = '3'`]],
  },
  person: {
    columns: ['delFlag', 'suiStatus', 'suiType'],
    data: member('new'),
    kinds: [
      ['person.left', `${isHere('old')} and not ${isHere('new')}`],
      ['person.added', `${isHere('new')} and not ${isHere('old')}`],
    ],
  },
}

/** It does nothing where nobody listens. */
const unlessNobodyListens = (oneOf: string) => `
  if not exists (select from "outboxDestination" where ${oneOf} and "enable" = '1' and "eventKinds" <> '{}') then
    return null;
  end if;`

const parts = ([table, { columns, data, kinds }]: [string, Change]) => [
  `drop trigger "${table}_outbox_update" on "${table}"`,
  `
create function "outbox_${table}_update"() returns trigger language plpgsql as $body$
begin${unlessNobodyListens('"schoolId" = new."schoolId"')}
  perform "outbox_put"(new."schoolId", k.kind, ${data})
  from (values
    ${kinds.map(([kind, applies]) => `('${kind}', ${applies})`).join(',\n    ')}
  ) k(kind, applies)
  where k.applies;
  return null;
end $body$;`,
  `
create trigger "${table}_outbox_update" after update on "${table}" for each row
  when ((${columns.map((one) => `new."${one}"`).join(', ')}) is distinct from (${columns.map((one) => `old."${one}"`).join(', ')}))
  execute function "outbox_${table}_update"();`,
]

const inserted = (table: string, kind: string, data: string, condition = '') => `
create or replace function "outbox_${table}"() returns trigger language plpgsql as $body$
begin${unlessNobodyListens('"schoolId" in (select "schoolId" from became)')}
  perform "outbox_put"(n."schoolId", ${kind}, ${data}) from became n${condition};
  return null;
end $body$;`

/** These told of changes too; lessons are never told of when they are made. */
const inserts = [
  `drop function "outbox_lesson"()`,
  inserted(
    'registration',
    'k.kind',
    participation('n'),
    `
  cross join lateral (
    values
      ('registration.accepted', n."laStatus" = '1'),
      ('attendance.signedIn', n."laSignStatus" in ('1', '2', '7'))
  ) k(kind, applies)
  where k.applies and n."delFlag" = '0'`,
  ),
  inserted('supplement', `'supplement.submitted'`, supplement('n'), ` where n."lisStatus" = '1'`),
  inserted('question', `'dispute.opened'`, dispute('n')),
  inserted('transcriptIssue', `'transcript.issued'`, transcript('n')),
  inserted('person', `'person.added'`, member('n')),
]
