import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { PersonField } from '../../shared/people/person-field.tsx'

/** Who may take attendance; the list given replaces the former one. */
export function SignersDialog({ lesson: { liId, liName }, onClose }: { lesson: LessonDetail; onClose: () => void }) {
  const { data: signers } = useCall(lessonApi.signManagers, { liId })
  return (
    <DialogForm
      title={`签到负责人：${liName}`}
      call={lessonApi.signPrincipalAdd}
      isLoading={!signers}
      initial={signers && { suIds: signers.map(({ suId }) => suId) }}
      input={({ suIds }) => ({ liId, suIds: (suIds as string[] | undefined) ?? [] })}
      onClose={onClose}
    >
      <PersonField
        name="suIds"
        label="签到负责人"
        multiple
        max={50}
        known={signers}
        required
        help="须为在校师生；更换后原签到码失效，请重新下载"
      />
    </DialogForm>
  )
}
