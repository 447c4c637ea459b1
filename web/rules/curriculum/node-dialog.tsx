import { Form } from 'antd'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { Input } from '../../../contract/core/call.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { curriculumApi, type CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { ColorField } from '../../core/form/color-field.tsx'
import { AmountField, DictionaryField, SelectField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { knownValues } from '../../core/form/form-field.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { TreeField, type TreeNode } from '../../core/form/tree-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { IconField } from './module-icon.tsx'
import { StarField } from './star-field.tsx'
import { SupplementFields } from './supplement-fields.tsx'
import { deepest, find } from './tree.ts'

interface Props {
  /** The node to edit; without it a new one below `lsPid`, or a module. */
  lsId?: string | undefined
  lsPid?: string | undefined
  tree: readonly CurriculumNode[]
  onClose: () => void
  onAdded: (lsId: string) => void
}

/** The form of a curriculum node. */
export function NodeDialog({ lsId, lsPid, tree, onClose, onAdded }: Props) {
  const record = useCall(curriculumApi.getEdit, { lsId: lsId ?? '' }, { enabled: lsId !== undefined, staleTime: 0 })
  const parent = find(tree, lsPid)
  const [blank] = useState(() => ({
    lsPid,
    ...(parent && { lsType: parent.lsType, required: parent.required, lsColor: parent.lsColor }),
  }))
  const initial: Record<string, unknown> | undefined = lsId ? record.data : blank
  const title = lsId ? '编辑课程体系' : parent ? `在${quoted(parent.lsName)}下新增` : '新增模块'
  const call = lsId ? curriculumApi.edit : curriculumApi.add
  return (
    <DialogForm
      call={call}
      title={title}
      width={760}
      isLoading={lsId !== undefined && !record.data}
      initial={initial}
      input={(values) => callInput(call, values)}
      onClose={onClose}
      onDone={(answer) => 'lsId' in answer && onAdded(answer.lsId)}
    >
      <Fields tree={tree} lsId={lsId} />
    </DialogForm>
  )
}

/** Stars stand on modules only: below another node they are left out. */
function callInput(
  call: typeof curriculumApi.edit | typeof curriculumApi.add,
  { starRule, ...values }: Record<string, unknown>,
): Input<typeof curriculumApi.edit> {
  return knownValues(call.input, { ...values, ...(!values['lsPid'] && { starRule }) }) as Input<
    typeof curriculumApi.edit
  >
}

function Fields({ tree, lsId }: { tree: readonly CurriculumNode[]; lsId: string | undefined }) {
  const { data: levels = [] } = useCall(curriculumApi.levels, {}, { staleTime: 300_000 })
  const { data: roles = [] } = useCall(roleApi.options, {}, { staleTime: 300_000 })
  const lsPid = Form.useWatch<string | undefined>('lsPid')
  const lsType = Form.useWatch<string | undefined>('lsType')
  const parent = find(tree, lsPid)
  return (
    <>
      <h4 className="dialog-section span-12">基本信息</h4>
      <TextField name="lsName" span={8} />
      <TextField name="lsCode" span={4} />
      <TreeField
        name="lsPid"
        span={8}
        tree={choices(tree, lsId)}
        placeholder="无（作为一级模块）"
        help="最多三级；修改上级会连同下级体系与其中的课程一起移动"
      />
      <SwitchField name="enable" span={4} onText="启用" offText="停用" help="停用后不能新建课程，已有课程不受影响" />
      <DictionaryField
        name="lsType"
        type="curriculum_type"
        span={8}
        open
        help={
          parent && parent.lsType !== curriculumType.both ? `不能超出上级${quoted(parent.lsName)}的范围` : undefined
        }
      />
      <SelectField
        name="required"
        label="修读要求"
        span={4}
        open
        options={[
          { value: yesNo.yes, label: '必修' },
          { value: yesNo.no, label: '选修' },
        ]}
      />
      <SelectField
        name="ownerRoleId"
        options={roles.map(({ srId, srName }) => ({ value: srId, label: srName }))}
        placeholder="默认：模块负责人"
        help="审批流程中“模块负责人”一步由该角色办理"
      />
      <IconField name="lsIcon" span={6} />
      <ColorField name="lsColor" span={6} />
      <h4 className="dialog-section span-12">学时与星级</h4>
      <AmountField name="minHours" span={4} unit="学时" />
      <AmountField name="maxHours" span={4} unit="学时" placeholder="不限" />
      <AmountField name="termCap" span={4} unit="学时" placeholder="不限" />
      {!lsPid && <StarField name="starRule" label="星级标准" />}
      {lsType !== curriculumType.supplements && (
        <>
          <h4 className="dialog-section span-12">课程</h4>
          <SelectField
            name="allowLevels"
            span={6}
            multiple
            options={levels.map(({ llId, llName }) => ({ value: llId, label: llName }))}
            placeholder="全部级别"
          />
          <SelectField
            name="lsFormScheme"
            span={6}
            options={[
              { value: 'standard', label: '标准表单' },
              { value: 'industry', label: '行业课程表单' },
            ]}
          />
        </>
      )}
      {lsType !== curriculumType.lessons && (
        <>
          <h4 className="dialog-section span-12">补录</h4>
          <SupplementFields parent={parent} />
        </>
      )}
    </>
  )
}

/** Where a node may stand: not below itself, and not at the fourth level. */
const choices = (nodes: readonly CurriculumNode[], without: string | undefined): TreeNode[] =>
  nodes
    .filter(({ lsId, depth }) => lsId !== without && depth < deepest)
    .map(({ lsId, lsName, children }) => ({ value: lsId, label: lsName, children: choices(children, without) }))
