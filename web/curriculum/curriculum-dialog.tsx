import { Form } from 'antd'
import { useState } from 'react'
import { curriculumApi, type CurriculumNode } from '../../contract/curriculum/curriculum.calls.ts'
import { roleApi } from '../../contract/roles/roles.calls.ts'
import { ColorField } from '../core/color-field.tsx'
import { AmountField, DictField, SelectField, SwitchField, TextField } from '../core/fields.tsx'
import { FormDialog } from '../core/form-dialog.tsx'
import { TreeField, type TreeNode } from '../core/tree-fields.tsx'
import { useCall } from '../core/use-call.ts'

interface Props {
  /** The node to edit; without it a new one below `lsPid`, or a module. */
  lsId?: string | undefined
  lsPid?: string | undefined
  tree: readonly CurriculumNode[]
  onClose: () => void
}

/** The form of a curriculum node. */
export function CurriculumDialog({ lsId, lsPid, tree, onClose }: Props) {
  const record = useCall(curriculumApi.getEdit, { lsId: lsId ?? '' }, { enabled: lsId !== undefined, fresh: 0 })
  const parent = find(tree, lsPid)
  const [blank] = useState(() => ({ lsPid, ...(parent && { lsType: parent.lsType, required: parent.required, lsColor: parent.lsColor }) }))
  const initial: Record<string, unknown> | undefined = lsId ? record.data : blank
  const title = lsId ? '编辑课程体系' : parent ? `在“${parent.lsName}”下新增` : '新增模块'
  return (
    <FormDialog call={lsId ? curriculumApi.edit : curriculumApi.add} title={title} width={680} isLoading={lsId !== undefined && !record.data} initial={initial} onClose={onClose}>
      <Fields tree={tree} lsId={lsId} />
    </FormDialog>
  )
}

function Fields({ tree, lsId }: { tree: readonly CurriculumNode[]; lsId: string | undefined }) {
  const { data: levels = [] } = useCall(curriculumApi.levels, {}, { fresh: 300_000 })
  const { data: roles = [] } = useCall(roleApi.options, {}, { fresh: 300_000 })
  const lsPid = Form.useWatch<string | undefined>('lsPid')
  const parent = find(tree, lsPid)
  return (
    <>
      <TextField name="lsName" span={8} />
      <TextField name="lsCode" span={4} />
      <TreeField name="lsPid" tree={choices(tree, lsId)} placeholder="无（作为一级模块）" help="最多三级；修改上级会连同下级体系与其中的课程一起移动" />
      <DictField name="lsType" type="curriculum_type" span={8} open help={parent && parent.lsType !== '3' ? `不能超出上级“${parent.lsName}”的范围` : undefined} />
      <SelectField name="required" label="修读要求" span={4} open options={[{ value: '1', label: '必修' }, { value: '0', label: '选修' }]} />
      <AmountField name="minHours" span={4} unit="学时" />
      <AmountField name="maxHours" span={4} unit="学时" placeholder="不限" />
      <AmountField name="termCap" span={4} unit="学时" placeholder="不限" />
      <SelectField name="allowLevels" multiple options={levels.map(({ llId, llName }) => ({ value: llId, label: llName }))} placeholder="全部级别" />
      <SelectField name="ownerRoleId" span={6} options={roles.map(({ srId, srName }) => ({ value: srId, label: srName }))} placeholder="默认：模块负责人" />
      <SelectField name="lsFormScheme" span={6} options={[{ value: 'standard', label: '标准表单' }, { value: 'industry', label: '行业课程表单' }]} />
      <ColorField name="lsColor" span={6} />
      <SwitchField name="enable" span={6} onText="启用" offText="停用" />
    </>
  )
}

const find = (nodes: readonly CurriculumNode[], lsId: string | undefined): CurriculumNode | undefined =>
  lsId === undefined ? undefined : nodes.flatMap((node) => (node.lsId === lsId ? [node] : [find(node.children, lsId) ?? []].flat()))[0]

/** Where a node may stand: not below itself, and not at the fourth level. */
const choices = (nodes: readonly CurriculumNode[], without: string | undefined): TreeNode[] =>
  nodes.filter(({ lsId, depth }) => lsId !== without && depth < 3).map(({ lsId, lsName, children }) => ({ value: lsId, label: lsName, children: choices(children, without) }))
