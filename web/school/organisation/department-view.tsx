import { figure } from '../../core/service/figure.ts'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type {
  DepartmentNode,
  DepartmentRow,
  DepartmentUserRow,
} from '../../../contract/school/organisation/organisation.schema.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { DictionaryText } from '../../core/parts/dictionary-text.tsx'
import { exportFile, rowsOf } from '../../core/action/export.tsx'
import { TextField } from '../../core/form/fields.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { RowActions } from '../../core/action/row-actions.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type List } from '../../core/list/use-list.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { PersonField } from '../../shared/people/person-field.tsx'
import { DepartmentMoveDialog } from './department-move-dialog.tsx'
import { flat } from './department-tree.ts'
import { MemberOrderDialog } from './member-order-dialog.tsx'
import { RelationsDialog } from './relations-dialog.tsx'

const action = actionOn<DepartmentRow>()
const onMember = actionOn<DepartmentUserRow>()

interface Props {
  sdId: string
  tree: readonly DepartmentNode[]
  onEdit: (row: Partial<DepartmentRow>) => void
  onRemoved: () => void
}

/** One department: its facts, what may be done with it, and its members. */
export function DepartmentView({ sdId, tree, onEdit, onRemoved }: Props) {
  const { data, isPending } = useCall(departmentApi.list, { sdId, current: 1, pageSize: 1 })
  const row = data?.records[0]
  const members = useList(departmentApi.users, { fixed: { sdId } })
  const node = flat(tree).find((one) => one.sdId === sdId)
  const [dialog, setDialog] = useState<'add' | 'order' | 'move'>()
  const close = () => setDialog(undefined)
  const acts = [
    action.open({
      label: '添加成员',
      call: departmentApi.addUsers,
      fits: ({ can }) => can.includes('member'),
      onOpen: () => setDialog('add'),
    }),
    action.open({
      label: '成员排序',
      call: departmentApi.sortUsers,
      fits: ({ can, userCount }) => can.includes('member') && userCount > 1,
      onOpen: () => setDialog('order'),
    }),
    action.open({
      label: '新增下级',
      call: departmentApi.save,
      fits: ({ can }) => can.includes('edit'),
      onOpen: () => onEdit({ sdPid: sdId }),
    }),
    action.open({
      label: '编辑',
      call: departmentApi.save,
      fits: ({ can }) => can.includes('edit'),
      onOpen: ([one]) => onEdit(one!),
    }),
    action.open({
      label: '导出成员',
      call: departmentApi.exportUsers,
      fits: ({ userCount }) => userCount > 0,
      onOpen: () => void exportFile(departmentApi.exportUsers, { ...members.query, sdId }, { rows: rowsOf(members) }),
    }),
    action.open({
      label: '移动',
      call: departmentApi.move,
      fits: ({ can }) => can.includes('edit'),
      onOpen: () => setDialog('move'),
    }),
    action.remove({
      call: departmentApi.remove,
      input: () => ({ sdId }),
      after: onRemoved,
    }),
  ]
  if (isPending || !row)
    return (
      <div className="card department-view">
        <ReadSkeleton />
      </div>
    )
  return (
    <div className="department-view">
      <div className="card department-facts">
        <div className="department-head">
          <h2>{row.sdName}</h2>
          <div className="department-acts">
            <RowActions row={row} actions={acts} nameOf={({ sdName }) => sdName} open={4} />
          </div>
        </div>
        <Facts
          items={[
            { label: '编码', value: row.sdCode },
            { label: '类型', value: <DictionaryText type="department_type" value={row.sdType} /> },
            { label: '上级部门', value: row.parentName },
            { label: '负责人', value: row.sdLeaderName },
            { label: '业务指导单位', value: row.isGuideUnit === yesNo.yes ? '是' : '否' },
            { label: '成员', value: `${figure(row.userCount)} 人` },
            { label: '下级部门', value: row.childCount > 0 ? `${figure(row.childCount)} 个` : '没有' },
            { label: '更新时间', value: row.updateTime.slice(0, 16) },
          ]}
        />
      </div>
      <Members department={row} list={members} onAdd={() => setDialog('add')} />
      {dialog === 'order' && <MemberOrderDialog sdId={sdId} sdName={row.sdName} onClose={close} />}
      {dialog === 'move' && node && <DepartmentMoveDialog node={node} tree={tree} onClose={close} />}
      {dialog === 'add' && (
        <DialogForm
          call={departmentApi.addUsers}
          title={`添加成员 · ${row.sdName}`}
          initial={{ sdId }}
          doneText="添加成功"
          onClose={close}
        >
          <PersonField name="suIds" label="人员" multiple required />
          <TextField name="post" help="所选人员的职务，可以不填" />
        </DialogForm>
      )}
    </div>
  )
}

function Members({
  department,
  list,
  onAdd,
}: {
  department: DepartmentRow
  list: List<DepartmentUserRow>
  onAdd: () => void
}) {
  const { sdId, sdName } = department
  const mayChange = department.can.includes('member')
  const [moving, setMoving] = useState<string>()
  const relate = onMember.open({
    label: '调整部门',
    call: departmentApi.setRelations,
    fits: () => mayChange,
    onOpen: ([one]) => setMoving(one!.suId),
  })
  const remove = onMember({
    label: '移除',
    call: departmentApi.removeUsers,
    isDanger: true,
    unit: '名成员',
    fits: () => mayChange,
    confirm: `移出${quoted(sdName)}后，其账号与角色不受影响。`,
    input: (rows) => ({ sdId, suIds: rows.map(({ suId }) => suId) }),
  })
  const columns: Column<DepartmentUserRow>[] = [
    { title: '姓名', dataIndex: 'suiName', width: 120, sorter: true },
    { title: '学工号', dataIndex: 'suiNumber', width: 140, sorter: true },
    { title: '职务', dataIndex: 'post', width: 140 },
    { title: '学院', dataIndex: 'collegeName' },
  ]
  return (
    <>
      <ListTable
        list={list}
        rowKey="suId"
        columns={columns}
        filters={<TextFilter name="search" label="成员" placeholder="姓名或学工号" />}
        rowActions={mayChange ? [relate, remove] : []}
        batchActions={mayChange ? [remove] : []}
        empty={{
          text: '该部门暂无成员',
          ...(mayChange && {
            next: (
              <ActionButton to={departmentApi.addUsers} onClick={onAdd}>
                添加成员
              </ActionButton>
            ),
          }),
        }}
      />
      {moving && <RelationsDialog suId={moving} onClose={() => setMoving(undefined)} />}
    </>
  )
}
