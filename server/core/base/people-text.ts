import { namesOf } from '../../../contract/core/few-names.ts'

/** People as refusals name them: by number as well, for two may have one name. */

export interface NamedPerson {
  suiName: string
  suiNumber: string
}

/** How many people a sentence names. */
const maxNamed = 5

/** The first few people and how many there are: `张三（20260001）、李四（20260002） 等 7 人`. */
export const peopleText = (people: readonly NamedPerson[]): string =>
  namesOf(
    people.slice(0, maxNamed).map(({ suiName, suiNumber }) => `${suiName}（${suiNumber}）`),
    people.length,
  )
