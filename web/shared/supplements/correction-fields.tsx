import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { AmountField, DictionaryField, NumberField, SelectField, TextField } from '../../core/form/fields.tsx'
import { useLevelChoices } from '../curriculum/level-choices.ts'

const rated = [
  'lisLevel',
  'lisPartakeMode',
  'lisAward',
  'lisTeamSize',
  'lisRank',
  'lisHoursDeclared',
] as const satisfies (keyof SupplementDetail)[]

/** What a record is rated by now, for a form that corrects it. */
export const ratedFacts = (record: SupplementDetail): Record<string, unknown> =>
  Object.fromEntries(rated.map((name) => [name, record[name]]))

/** The same of what the form holds, for the call. */
export const correctedFrom = (values: Record<string, unknown>) => ({
  lisLevel: values['lisLevel'] as string,
  lisPartakeMode: values['lisPartakeMode'] as '1',
  lisAward: values['lisAward'] as string,
  lisTeamSize: values['lisTeamSize'] as number,
  lisRank: values['lisRank'] as number,
  lisHoursDeclared: values['lisHoursDeclared'] as string,
})

/** What a supplement record is recognised as, to be corrected. */
export function CorrectionFields() {
  return (
    <>
      <SelectField name="lisLevel" label="级别" required span={6} options={useLevelChoices()} />
      <DictionaryField name="lisPartakeMode" label="参与方式" required span={6} type="partake_mode" />
      <TextField name="lisAward" span={6} placeholder="没有获奖的留空" />
      <AmountField name="lisHoursDeclared" label="认定学时" span={6} unit="学时" placeholder="不填按评价规则计" />
      <NumberField name="lisTeamSize" span={6} unit="人" placeholder="个人不填" />
      <NumberField name="lisRank" span={6} placeholder="个人不填" />
    </>
  )
}
