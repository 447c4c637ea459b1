import { Checkbox, Segmented } from 'antd'
import { useState } from 'react'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useGuardedDialog } from '../../core/screen/use-guarded-dialog.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { NodeIcon } from './module-icon.tsx'
import { figure } from '../../core/service/figure.ts'

/**
 * Ready-made trees: what they hold, and which of their modules are to be added. Modules the school has are ticked for
 * good.
 */
export function TemplateDialog({ onClose }: { onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const [templateId, setTemplateId] = useState<string>()
  const [dropped, setDropped] = useState<readonly string[]>([])
  const { data: templates } = useCall(curriculumApi.templates, {}, { staleTime: 0 })
  const { send, isSending } = useSend(curriculumApi.addTemplate)
  const held = useGuardedDialog(isOpen && dropped.length > 0)
  const template =
    templates?.find((one) => one.templateId === templateId) ??
    templates?.find(({ modules }) => modules.some(({ exists }) => !exists)) ??
    templates?.[0]
  const open = template?.modules.filter(({ exists }) => !exists) ?? []
  const codes = open.map(({ lsCode }) => lsCode).filter((code) => !dropped.includes(code))
  const add = async () => {
    const { affected } = await send({ templateId: template!.templateId, codes })
    notify('success', `已添加 ${figure(affected)} 个体系`)
    setOpen(false)
  }
  const choose = (id: string) => (setTemplateId(id), setDropped([]))
  return (
    <Dialog
      open={isOpen}
      title="从模板添加课程体系"
      width={680}
      okText={codes.length > 0 ? `添加 ${codes.length} 个模块` : '添加'}
      cancelText="取消"
      okButtonProps={{ disabled: codes.length === 0 }}
      confirmLoading={isSending}
      to={curriculumApi.addTemplate}
      onOk={() => void add().catch(() => undefined)}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      {...held}
    >
      {!template && <ReadSkeleton />}
      {template && (
        <>
          <Segmented
            className="template-choice"
            aria-label="模板"
            value={template.templateId}
            options={templates!.map((one) => ({ value: one.templateId, label: one.templateName }))}
            onChange={choose}
          />
          <p className="template-note">
            {template.note}
            {open.length < template.modules.length &&
              `；其中 ${template.modules.length - open.length} 个本校已有同名模块，不会重复添加`}
          </p>
          <ul className="template-modules">
            {template.modules.map(({ lsCode, lsName, lsIcon, lsColor, required, minHours, children, exists }) => (
              <li key={lsCode}>
                <Checkbox
                  disabled={exists}
                  checked={exists || codes.includes(lsCode)}
                  onChange={({ target }) =>
                    setDropped((now) => (target.checked ? now.filter((code) => code !== lsCode) : [...now, lsCode]))
                  }
                >
                  <NodeIcon icon={lsIcon} color={lsColor} />
                  <b>{lsName}</b>
                  <small>
                    {required === yesNo.yes ? '必修' : '选修'} · {minHours} 学时{exists && ' · 已有'}
                  </small>
                </Checkbox>
                {children.length > 0 && <p>{children.join('、')}</p>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
