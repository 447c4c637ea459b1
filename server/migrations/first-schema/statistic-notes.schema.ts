/** Triggers that note what a statement touched, so that a job brings the rollups up to date (decision 022). */
export const statisticNotes = `
-- the figures of a course: who is in it
create function "note_registration"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct "schoolId", 'L', "liId", null::date
  from touched;
  return null;
end $$;
create trigger "registration_note_insert" after insert on "registration"
  referencing new table as touched
  for each statement execute function "note_registration"();
create trigger "registration_note_update" after update on "registration"
  referencing new table as touched
  for each statement execute function "note_registration"();
create trigger "registration_note_delete" after delete on "registration"
  referencing old table as touched
  for each statement execute function "note_registration"();

-- its sessions
create function "note_lessonSession"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct "schoolId", 'L', "liId", null::date
  from touched;
  return null;
end $$;
create trigger "lessonSession_note_insert" after insert on "lessonSession"
  referencing new table as touched
  for each statement execute function "note_lessonSession"();
create trigger "lessonSession_note_update" after update on "lessonSession"
  referencing new table as touched
  for each statement execute function "note_lessonSession"();
create trigger "lessonSession_note_delete" after delete on "lessonSession"
  referencing old table as touched
  for each statement execute function "note_lessonSession"();

-- the course itself: made, removed
create function "note_lesson"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select "schoolId", 'L', "liId", null::date
  from touched;
  return null;
end $$;
create trigger "lesson_note_insert" after insert on "lesson"
  referencing new table as touched
  for each statement execute function "note_lesson"();
create trigger "lesson_note_delete" after delete on "lesson"
  referencing old table as touched
  for each statement execute function "note_lesson"();

-- a course that is given to a circle, or begins at another time
create function "lesson_note_update"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select n."schoolId", 'L', n."liId", null::date
  from was o
  join became n on n."schoolId" = o."schoolId" and n."liId" = o."liId"
  where coalesce(o."liCircleId", n."liCircleId") is not null
    and (o."liCircleId", o."startTime") is distinct from (n."liCircleId", n."startTime");
  return null;
end $$;
create trigger "lesson_note_update" after update on "lesson"
  referencing old table as was new table as became
  for each statement execute function "lesson_note_update"();

-- how long its approval for publication takes
create function "note_approval"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct "schoolId", 'L', "bizId", null::date
  from touched
  where "bizType" = 'publish';
  return null;
end $$;
create trigger "approval_note_insert" after insert on "approval"
  referencing new table as touched
  for each statement execute function "note_approval"();
create trigger "approval_note_update" after update on "approval"
  referencing new table as touched
  for each statement execute function "note_approval"();
create trigger "approval_note_delete" after delete on "approval"
  referencing old table as touched
  for each statement execute function "note_approval"();

-- the share of a circle in its courses: only those that begin after somebody came or left see a difference
create function "circleMember_note_insert"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct l."schoolId", 'L', l."liId", null::date
  from (select * from became) m
  join "lesson" l on l."schoolId" = m."schoolId" and l."liCircleId" = m."ciId" and l."startTime" >= m."joinTime";
  return null;
end $$;
create trigger "circleMember_note_insert" after insert on "circleMember"
  referencing new table as became
  for each statement execute function "circleMember_note_insert"();

-- somebody who was never in it
create function "circleMember_note_delete"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct l."schoolId", 'L', l."liId", null::date
  from (select * from was) m
  join "lesson" l on l."schoolId" = m."schoolId" and l."liCircleId" = m."ciId" and l."startTime" >= m."joinTime";
  return null;
end $$;
create trigger "circleMember_note_delete" after delete on "circleMember"
  referencing old table as was
  for each statement execute function "circleMember_note_delete"();

-- somebody who left, came back or changed circles
create function "circleMember_note_update"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct l."schoolId", 'L', l."liId", null::date
  from (
    select
      o."schoolId",
      x."ciId",
      case
        when o."ciId" = n."ciId" and o."suId" = n."suId" and o."joinTime" = n."joinTime"
          then least(coalesce(o."quitTime", 'infinity'), coalesce(n."quitTime", 'infinity'))
        else least(o."joinTime", n."joinTime")
      end "from"
    from was o
    join became n on n."schoolId" = o."schoolId" and n."cpiId" = o."cpiId"
    cross join lateral (values (o."ciId"), (n."ciId")) x("ciId")
    where (o."ciId", o."suId", o."joinTime", o."quitTime")
      is distinct from (n."ciId", n."suId", n."joinTime", n."quitTime")
  ) m
  join "lesson" l on l."schoolId" = m."schoolId" and l."liCircleId" = m."ciId" and l."startTime" >= m."from";
  return null;
end $$;
create trigger "circleMember_note_update" after update on "circleMember"
  referencing old table as was new table as became
  for each statement execute function "circleMember_note_update"();

-- people: who came and went
create function "note_person"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select "schoolId", 'P', "suId", null::date
  from touched;
  return null;
end $$;
create trigger "person_note_insert" after insert on "person"
  referencing new table as touched
  for each statement execute function "note_person"();
create trigger "person_note_delete" after delete on "person"
  referencing old table as touched
  for each statement execute function "note_person"();

-- people: changed where a rollup holds what changed (a telephone number is in none). As a difference of sets: the plan of a
-- function is made for a handful of rows, so a join would compare thousands each with each
create function "note_person_update"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey")
  select "schoolId", 'P', "suId"
  from (
    select
      "schoolId", "suId", "suiType", "suiStatus", "suiCollegeId", "majorId", "scClassId", "suiGrade", "delFlag",
      "suiSex", "suiPolitical", "suiCredibility", "blackUntil", "suiEnterDate"
    from became
    except
    select
      "schoolId", "suId", "suiType", "suiStatus", "suiCollegeId", "majorId", "scClassId", "suiGrade", "delFlag",
      "suiSex", "suiPolitical", "suiCredibility", "blackUntil", "suiEnterDate"
    from was
  ) changed;
  return null;
end $$;
create trigger "person_note_update" after update on "person"
  referencing old table as was new table as became
  for each statement execute function "note_person_update"();

-- sign-ins
create function "note_loginDay"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select "schoolId", 'G', "suId", "logDay"
  from touched;
  return null;
end $$;
create trigger "loginDay_note_insert" after insert on "loginDay"
  referencing new table as touched
  for each statement execute function "note_loginDay"();
create trigger "loginDay_note_update" after update on "loginDay"
  referencing new table as touched
  for each statement execute function "note_loginDay"();
create trigger "loginDay_note_delete" after delete on "loginDay"
  referencing old table as touched
  for each statement execute function "note_loginDay"();

-- what was earned: by whom, and by which course
create function "note_creditLedger"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct "schoolId", 'P', "suId", null::date
  from touched
  union all
  select distinct "schoolId", 'L', "bizId", null::date
  from touched
  where "source" <> 'SUP';
  return null;
end $$;
create trigger "creditLedger_note_insert" after insert on "creditLedger"
  referencing new table as touched
  for each statement execute function "note_creditLedger"();

-- which modules there are, and what graduation asks for, weighs on everybody
create function "note_curriculum"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind", "scKey", "scDay")
  select distinct "schoolId", 'A', null::uuid, null::date
  from touched
  where "lsPid" is null;
  return null;
end $$;
create trigger "curriculum_note_insert" after insert on "curriculum"
  referencing new table as touched
  for each statement execute function "note_curriculum"();
create trigger "curriculum_note_update" after update on "curriculum"
  referencing new table as touched
  for each statement execute function "note_curriculum"();
create trigger "curriculum_note_delete" after delete on "curriculum"
  referencing old table as touched
  for each statement execute function "note_curriculum"();

create function "note_school"() returns trigger language plpgsql as $$
begin
  insert into "statChange" ("schoolId", "scKind")
  values (new."schoolId", 'A');
  return null;
end $$;
create trigger "school_note_settings" after update of "settings" on "school"
  for each row
  when (old."settings" -> 'totalHours' is distinct from new."settings" -> 'totalHours')
  execute function "note_school"();
`
