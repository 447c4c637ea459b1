import { Form } from 'antd'
import { evaluationDraft } from '../../../contract/rules/evaluation/evaluation.schema.ts'
import type { Input } from '../../../contract/core/call.ts'
import type { scoringApi } from '../../../contract/rules/evaluation/scoring.calls.ts'
import { faultsOf, knownValues } from '../../core/form/form-field.tsx'
import type { LevelRow } from './level-matrix.tsx'

export type Draft = Input<typeof scoringApi.tryOut>['rule']

/**
 * The rule as it stands in the form now; of a new set the rule of one level. With the first fault that keeps it from
 * being tried.
 */
export function useDraft(level?: string): { draft: Draft; fault: string | undefined } {
  const form = Form.useFormInstance<Record<string, unknown>>()
  const values = (Form.useWatch([], form) ?? {}) as Record<string, unknown>
  const row =
    level === undefined
      ? {}
      : ((values['levels'] as LevelRow[] | undefined)?.find(({ esLessonLevel }) => esLessonLevel === level) ?? {})
  const draft = knownValues(evaluationDraft, { ...values, ...row })
  return { draft: draft as Draft, fault: faultsOf(evaluationDraft, draft)[0]?.msg }
}
