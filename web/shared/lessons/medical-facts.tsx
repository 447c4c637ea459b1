import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { medicalShape } from '../../../contract/programme/lessons/medical.ts'
import { labelIn } from '../../../contract/core/fields.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'

/** What a course of a medical university says beyond the ordinary one. */
export function MedicalFacts({ lesson: { liExt } }: { lesson: LessonDetail }) {
  const items = Object.entries(medicalShape).map(([name, schema]) => {
    const value = String(liExt[name] ?? '')
    return {
      label: labelIn(schema) ?? name,
      value: name === 'medicalCategory' && value ? labelOf('medical_category', value) : value,
    }
  })
  return <Facts title="医学实践" items={items} />
}
