import { sql, type RawBuilder } from 'kysely'
import { accountStatus, personType, studentStatus } from '../../../contract/core/codes/school.ts'

/**
 * Whether somebody has graduated, by their row of `person`: then their account reads, and does nothing else (decision
 * 128).
 */
export const hasGraduated = ({ suiType, suiStatus }: { suiType: string; suiStatus: string }): boolean =>
  suiType === personType.student && suiStatus === studentStatus.graduated

/**
 * Whether somebody may act and decide: their account is on, and they have not graduated.
 * @param person the relation of their row of `person`
 * @param account and of `account`
 */
export const mayAct = (person: string, account: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${account}.suStatus`)} = ${sql.lit(accountStatus.active)}
  and (
    ${sql.ref(`${person}.suiType`)} <> ${sql.lit(personType.student)}
    or ${sql.ref(`${person}.suiStatus`)} <> ${sql.lit(studentStatus.graduated)}
  )
)`
