import { sql } from 'kysely'
import { inSchoolStatuses } from '../../../contract/core/codes/in-school.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { personType, teacherStatus } from '../../../contract/core/codes/school.ts'

/** Whether a `person` is at the school: a student in school, or somebody who serves there; and not removed. */
export const isAtSchool = sql<boolean>`(
  case
    when "person"."suiType" = ${sql.lit(personType.student)}
      then "person"."suiStatus" in (${sql.join(inSchoolStatuses.map((status) => sql.lit(status)))})
    else "person"."suiStatus" = ${sql.lit(teacherStatus.employed)}
  end
  and "person"."delFlag" = ${sql.lit(yesNo.no)}
)`
