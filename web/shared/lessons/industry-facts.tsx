import { industryExt, industryFiles } from '../../../contract/programme/lessons/industry.ts'
import { medicalShape } from '../../../contract/programme/lessons/medical.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { factsOf } from '../../core/service/schema.ts'

const dictionaries: Record<string, string> = {
  industryField: 'industry_field',
  cooperationType: 'cooperation_type',
  projectStage: 'project_stage',
  moduleAttr: 'module_attr',
  smallClass: 'yes_no',
  insurance: 'yes_no',
}
const papers: ReadonlySet<string> = new Set(industryFiles)
const wide = new Set(['deliverable', 'transport'])

/** What an industry course says of its partner, project and safety; the papers stand among the course's files. */
export function IndustryFacts({ lesson: { liExt } }: { lesson: LessonDetail }) {
  const value = (name: string) => {
    const text = liExt[name]
    if (typeof text !== 'string' || text === '') return ''
    return dictionaries[name] ? labelOf(dictionaries[name], text) : text
  }
  return (
    <Facts
      title="产教融合"
      items={Object.entries(industryExt.shape)
        .filter(([name]) => !papers.has(name) && !(name in medicalShape))
        .map(([name, schema]) => ({ label: factsOf(schema).label, value: value(name), isWide: wide.has(name) }))}
    />
  )
}
