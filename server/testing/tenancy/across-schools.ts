const sweep = 'a sweep by age, whoever it belongs to; the condition is the same for all schools'
const which =
  'tells a recurring job which schools or records have something due; the work itself is done school by school'
const byTest = 'sent by tests that hold a lock or try to forge the trail'

/**
 * Statements that are not tied to one school, on purpose: a part of each that no other has, in single spaces, and why.
 * A new one needs a reason as good as these.
 */
export const acrossSchools: readonly { statement: string; why: string }[] = [
  { statement: 'from "session" inner join "account"', why: 'a session is found by its token, which tells the school' },
  { statement: '"transcriptIssue" as "i" inner join "signingKey"', why: 'a paper is verified by its serial alone' },
  { statement: 'from "identityTry" where "codeHash" =', why: 'a browser brings back a code, which tells the school' },
  { statement: 'from "configuration" where "schoolId" = any(', why: 'versions of all schools that a process keeps' },
  { statement: 'from "identityProvider" where "providerId" =', why: 'the pages of a provider have its id alone' },
  {
    statement: 'from "calendarFeed" inner join "school"',
    why: 'a calendar is found by its hash, which tells the school',
  },
  { statement: 'from "serviceKey" inner join "role"', why: 'a key is found by its hash, which tells the school' },
  { statement: '"storeKey" from "auditArchive" order by', why: 'every file of the installation, for its backup' },
  { statement: '"needed" from "file" union all', why: 'every file of the installation, for its backup' },
  {
    statement: 'from "school" left join "schoolQuota" as "q"',
    why: 'all schools of the installation, for its operator',
  },
  { statement: 'from (select "school"."schoolId" from "school"', why: 'how many schools there are, for the operator' },
  {
    statement: 'select "schoolId", "schName", "settings" from "school" where "suspendedTime" is null order by',
    why: 'the schools that statistics across them are asked about; their figures are read school by school',
  },
  {
    statement: 'from "statState" s where s."schoolId" = any(',
    why: 'how current the rollups of each school are, for the statistics across schools',
  },
  {
    statement: 'from "resetRequest" as "r" inner join "account"',
    why: 'codes that wait in any school, for whoever runs the installation',
  },
  { statement: 'from "schoolQuota" q join "school" s', why: which },
  { statement: 'select "schoolId" from "schoolQuota" order by', why: which },
  { statement: 'select pg_database_size(', why: 'storage of the whole installation, for its operator' },
  {
    statement: 'select "storeKey" from "file" order by "createTime" desc',
    why: 'whether a store is the one of this database',
  },

  { statement: 'from "outboxDestination" o where o."enable" =', why: which },
  { statement: 'from "importSource" where "nextRun" <=', why: which },
  { statement: '"providerId" from "identityProvider" where "kind" =', why: which },
  { statement: 'select distinct "schoolId" from "studentChange" where "isTold"', why: which },
  { statement: 'from "school" c left join "statState"', why: which },
  { statement: 'in (select c."schoolId" from "statChange" c)', why: which },
  { statement: 'from "school" as "s" left join "thresholdRun"', why: which },
  { statement: 'select distinct t."schoolId", t."insId" from "approvalTask"', why: which },
  {
    statement: 'delete from "roleUser" u using "role" r, "person" p',
    why: 'memberships that have ended today, in all schools',
  },
  {
    statement: `delete from "controlArea" a using "role" r, "person" p`,
    why: 'league secretaries who left their class',
  },
  {
    statement: 'delete from "supplementCount" where "schoolId" in',
    why: 'notes that have become many are summed, key by key',
  },

  { statement: 'delete from "activationCode" where "expireTime" <', why: sweep },
  { statement: 'delete from "identityTry" where "expireTime" <=', why: sweep },
  { statement: 'delete from "identityLogout" where "expireTime" <=', why: sweep },
  { statement: 'update "outboxDelivery" set "laterId" =', why: sweep },
  { statement: 'delete from "outboxDelivery" where "dlStatus" not in', why: sweep },
  { statement: 'delete from "outboxDelivery" d using "outboxDestination" o', why: sweep },
  { statement: 'delete from "requestKey" where "createTime" <', why: sweep },
  { statement: 'delete from "trustedDevice" where "expireTime" <=', why: sweep },
  { statement: 'select "tbId", "storeKey" from "transcriptBatch" where "storeKey" >', why: sweep },
  { statement: 'update "transcriptBatch" set "tbStatus" = case', why: sweep },
  { statement: 'from "backgroundTask" where "storeKey" is not null and', why: sweep },
  { statement: 'update "backgroundTask" set "btStatus" = case', why: sweep },
  { statement: 'delete from "backgroundTask" where "endTime" <', why: sweep },
  {
    statement: 'update "person" set "suiNation" = null, "suiIdType" = null',
    why: 'a migration, which is of all schools',
  },
  { statement: 'update "file" set "fileState" =', why: sweep },
  { statement: 'select "storeKey" from "file" where "fileState" =', why: sweep },
  { statement: 'delete from "file" where "storeKey" = any(', why: sweep },
  { statement: 'update "importBatch" set "ibStatus" = $1 where "ibStatus" in', why: sweep },
  { statement: 'delete from "importFile" where ("schoolId", "ibId") in', why: sweep },
  { statement: 'delete from "importRow" where ("schoolId", "ibId") in', why: sweep },
  { statement: 'delete from "importUndo" where ("schoolId", "ibId") in', why: sweep },

  { statement: '/* by a former program */', why: 'whole rows, as a test has them read by a former program' },
  { statement: 'select from "role" where "srId" = $1 for update', why: byTest },
  { statement: 'select from "curriculum" where "lsId" = $1 for update', why: byTest },
  { statement: 'select from "qualityLabel" where "sqlId" = $1 for update', why: byTest },
  { statement: 'update "auditLog" set "action" = $1 where "logId" =', why: byTest },
  { statement: 'delete from "auditLog" where "logId" =', why: byTest },
]

/**
 * Statements that are tied to one school, of which an engine that keeps schools on several machines learns only while
 * it runs them, so that it asks all machines: a part of each, and why that is allowed.
 */
export const askingAll: readonly { statement: string; why: string }[] = []
