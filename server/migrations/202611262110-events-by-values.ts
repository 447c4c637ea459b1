import { sql, type Kysely } from 'kysely'

/**
 * The triggers that put events into the outbox ask tables by the school of the row, one at a time and none beside a
 * transition table (decision 123). A school without a destination costs one look-up a statement.
 *
 * Events of changed records are written row by row (decision 079): what was and what became of a statement's rows were
 * joined before, by a plan that PostgreSQL keeps inside a function. Made for one row, it compared each of thousands
 * with each, and a change of 10,000 registrations took more than a minute. The condition at the trigger also spares the
 * call where nothing changed that is told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(functions).execute(db)
}

/**
 * Around the rows `n` of an insert, school by school: those of schools whose destinations take no events are left out.
 */
const putting = (name: string, rows: string) => `
create or replace function "${name}"() returns trigger language plpgsql as $$
declare
  school text;
  n record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_events"(school);
    ${rows.replaceAll('\n', '\n    ')}
  end loop;
  return null;
end $$;`

/** What an event tells of a row that has this name in the function, of a school that is known by this expression. */
type Data = (row: 'n' | 'new', school: string) => string

/** Of a changed row: the columns whose change can be an event, and kinds of event, each with when the change is one. */
const changing = (table: string, columns: string[], data: Data, kinds: [kind: string, applies: string][]) => `
drop trigger "${table}_outbox_update" on "${table}";
create function "outbox_${table}_update"() returns trigger language plpgsql as $$
begin
  if not "outbox_takes_events"(new."schoolId") then
    return null;
  end if;
  perform "outbox_put"(new."schoolId", k.kind, ${data('new', 'new."schoolId"')})
  from (
    values
      ${kinds.map(([kind, applies]) => `('${kind}', ${applies})`).join(',\n      ')}
  ) k(kind, applies)
  where k.applies;
  return null;
end $$;
create trigger "${table}_outbox_update" after update on "${table}" for each row
  when (
    (${columns.map((one) => `new."${one}"`).join(', ')}) is distinct from (${columns.map((one) => `old."${one}"`).join(', ')})
  )
  execute function "outbox_${table}_update"();`

/** Whether a person belongs to the school: neither removed nor left. */
const isHere = (row: string) =>
  `(${row}."delFlag" = '0' and ${row}."suiStatus" not in ('3', case ${row}."suiType" when '1' then '4' else '2' end))`

const lessonData: Data = (row) =>
  `jsonb_build_object('liId', ${row}."liId", 'liNo', ${row}."liNo", 'liName', ${row}."liName", 'liStatus', ${row}."liStatus")`
const registrationData: Data = (row, school) => `jsonb_build_object(
      'laId', ${row}."laId", 'laStatus', ${row}."laStatus", 'laSignStatus', ${row}."laSignStatus",
      'course', "outbox_course"(${school}, ${row}."liId"), 'person', "outbox_person_of"(${school}, ${row}."suId")
    )`
const supplementData: Data = (row, school) => `jsonb_build_object(
      'lisId', ${row}."lisId", 'lisName', ${row}."lisName", 'lisType', ${row}."lisType", 'lisStatus', ${row}."lisStatus",
      'person', "outbox_person_of"(${school}, ${row}."suId")
    )`
const personData: Data = (row) => `jsonb_build_object(
      'suiType', ${row}."suiType", 'suiStatus', ${row}."suiStatus",
      'person', jsonb_build_object('suId', ${row}."suId", 'suiNumber', ${row}."suiNumber", 'suiName', ${row}."suiName")
    )`
const questionData: Data = (row) => `jsonb_build_object(
      'qId', ${row}."qId", 'liId', ${row}."liId", 'lisId', ${row}."lisId", 'qType', ${row}."qType",
      'qStatus', ${row}."qStatus", 'qOutcome', ${row}."qOutcome"
    )`
const issueData: Data = (row, school) => `jsonb_build_object(
      'tiId', ${row}."tiId", 'serial', ${row}."serial", 'tiStatus', ${row}."tiStatus", 'person', "outbox_person_of"(${school}, ${row}."suId")
    )`

const functions = `
create function "outbox_takes_events"(p_school text) returns boolean language plpgsql as $$
declare
  takes boolean;
begin
  select exists (
    select from "outboxDestination" where "schoolId" = p_school and "enable" = '1' and "eventKinds" <> '{}'
  ) into takes;
  return takes;
end $$;

create function "outbox_person_of"(p_school text, p_person uuid) returns jsonb language plpgsql as $$
declare
  found_person jsonb;
begin
  select jsonb_build_object('suId', p."suId", 'suiNumber', p."suiNumber", 'suiName', p."suiName") into found_person
  from "person" p
  where p."schoolId" = p_school and p."suId" = p_person;
  return found_person;
end $$;

create function "outbox_course"(p_school text, p_lesson uuid) returns jsonb language plpgsql as $$
declare
  course jsonb;
begin
  select jsonb_build_object('liId', l."liId", 'liNo', l."liNo", 'liName', l."liName", 'liStatus', l."liStatus")
  into course
  from "lesson" l
  where l."schoolId" = p_school and l."liId" = p_lesson;
  return course;
end $$;
${putting(
  'outbox_creditLedger',
  `for n in
  select
    "suId", "source", "bizId", "bizName",
    case when "reverseOf" is null then 'credit.granted' else 'credit.reversed' end kind,
    jsonb_agg(jsonb_build_object(
      'clId', "clId", 'clType', "clType", 'moduleId', "moduleId", 'value', ("clValue" / 100.0)::numeric(12, 2)::text
    ) order by "clType", "clId") entries
  from became
  where "schoolId" = school
  group by 1, 2, 3, 4, 5
loop
  perform "outbox_put"(school, n.kind, jsonb_build_object(
    'source', n."source", 'bizId', n."bizId", 'bizName', n."bizName", 'entries', n.entries,
    'person', "outbox_person_of"(school, n."suId")
  ));
end loop;`,
)}

${putting(
  'outbox_person',
  `for n in select * from became where "schoolId" = school loop
  perform "outbox_put"(school, 'person.added', ${personData('n', 'school')});
end loop;`,
)}
${putting(
  'outbox_question',
  `for n in select * from became where "schoolId" = school loop
  perform "outbox_put"(school, 'dispute.opened', ${questionData('n', 'school')});
end loop;`,
)}
${putting(
  'outbox_registration',
  `for n in
  select b.*, k.kind
  from became b
  cross join lateral (
    values
      ('registration.accepted', b."laStatus" = '1'),
      ('attendance.signedIn', b."laSignStatus" in ('1', '2', '7'))
  ) k(kind, applies)
  where k.applies and b."delFlag" = '0' and b."schoolId" = school
loop
  perform "outbox_put"(school, n.kind, ${registrationData('n', 'school')});
end loop;`,
)}
${putting(
  'outbox_studentChange',
  `for n in
  select
    b.*,
    case
      when b."changeKind" like 'transfer%' then 'student.transferred'
      when b."changeKind" in ('leave', 'retain', 'enlist') then 'student.onLeave'
      when b."changeKind" = 'return' then 'student.returned'
      when b."changeKind" = 'withdraw' then 'student.withdrawn'
      when b."changeKind" = 'graduate' then 'student.graduated'
      when b."changeKind" = 'revoke' then 'student.changeRevoked'
      else 'student.adjusted'
    end kind
  from became b
  where b."schoolId" = school
loop
  perform "outbox_put"(school, n.kind, jsonb_build_object(
    'chId', n."chId", 'changeKind', n."changeKind", 'changeCause', n."changeCause",
    'wasState', n."wasState", 'newState', n."newState", 'person', "outbox_person_of"(school, n."suId")
  ));
end loop;`,
)}
${putting(
  'outbox_supplement',
  `for n in select * from became where "schoolId" = school and "lisStatus" = '1' loop
  perform "outbox_put"(school, 'supplement.submitted', ${supplementData('n', 'school')});
end loop;`,
)}
${putting(
  'outbox_transcriptIssue',
  `for n in select * from became where "schoolId" = school loop
  perform "outbox_put"(school, 'transcript.issued', ${issueData('n', 'school')});
end loop;`,
)}


${changing('lesson', ['liStatus'], lessonData, [
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
])}
${changing('registration', ['laStatus', 'laSignStatus', 'delFlag'], registrationData, [
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
])}
${changing('supplement', ['lisStatus'], supplementData, [
  ['supplement.submitted', `new."lisStatus" = '1'`],
  ['supplement.approved', `old."lisStatus" in ('0', '1') and new."lisStatus" in ('2', '5')`],
  ['supplement.refused', `new."lisStatus" = '3'`],
])}
${changing('question', ['qStatus', 'qOutcome'], questionData, [
  [
    'dispute.settled',
    `(new."qStatus" = '3' and old."qStatus" <> '3') or (new."qOutcome" is not null and old."qOutcome" is null)`,
  ],
])}
${changing('transcriptIssue', ['tiStatus'], issueData, [['transcript.revoked', `new."tiStatus" = '3'`]])}
${changing('person', ['delFlag', 'suiStatus', 'suiType'], personData, [
  ['person.left', `${isHere('old')} and not ${isHere('new')}`],
  ['person.added', `${isHere('new')} and not ${isHere('old')}`],
])}

drop function "outbox_lesson"();

create or replace function "outbox_message"() returns trigger language plpgsql as $$
declare
  school text;
  m record;
  d record;
begin
  for school in select distinct "schoolId" from became loop
    continue when not "outbox_takes_messages"(school);
    for m in
      select "iiId", array_agg("suId") people, array_agg("iurId") copies from became where "schoolId" = school group by 1
    loop
      for d in
        select o."odId", n."iurId", i."iiType", i."sendTime", n."suId",
          case coalesce(p."mpMode", case when o."digestKinds" @> array[i."iiType"] then 'digest' else 'now' end)
            when 'digest' then '6' else '0' end "dlStatus"
        from "information" i
        cross join unnest(m.people, m.copies) n("suId", "iurId")
        join "outboxDestination" o on o."schoolId" = i."schoolId" and o."enable" = '1'
          and o."messageKinds" @> array[i."iiType"]
        join "account" a on a."schoolId" = i."schoolId" and a."suId" = n."suId" and a."suStatus" = '1'
        left join "messagePreference" p on p."schoolId" = i."schoolId" and p."suId" = n."suId"
          and p."odChannel" = o."odChannel" and p."messageKind" = i."iiType"
        where i."schoolId" = school
          and i."iiId" = m."iiId"
          and p."mpMode" is distinct from 'off'
        order by n."suId", o."odId"
      loop
        insert into "outboxDelivery" (
          "schoolId", "dlId", "odId", "eventId", "eventKind", "eventData", "dlStatus", "suId", "iurId",
          "createTime", "queueTime"
        )
        values (
          school, gen_random_uuid(), d."odId", d."iurId", d."iiType", '{}', d."dlStatus", d."suId", d."iurId",
          d."sendTime", d."sendTime"
        );
      end loop;
    end loop;
  end loop;
  return null;
end $$;

create function "outbox_takes_messages"(p_school text) returns boolean language plpgsql as $$
declare
  takes boolean;
begin
  select exists (
    select from "outboxDestination" where "schoolId" = p_school and "enable" = '1' and "messageKinds" <> '{}'
  ) into takes;
  return takes;
end $$;
`
