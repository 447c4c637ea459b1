import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useMemo, useState } from 'react'
import { planCalendarApi } from '../../../contract/school/school/plan-calendar.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { NumberField, TextField } from '../../core/form/fields.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'

type Place = RowOf<typeof planCalendarApi.places>

const action = actionOn<Place>()
const columns: Column<Place>[] = [
  { title: '场地', dataIndex: 'plName', fixed: 'left' },
  { title: '可容纳人数', dataIndex: 'plCapacity', width: 130, number: true },
]
const remove = action.remove({
  call: planCalendarApi.removePlaces,
  input: (rows) => ({ plIds: rows.map(({ plId }) => plId) }),
  unit: '个场地',
  confirm: '删除后，名额超过该场地时不再有提示；已有课程不受影响。',
})

/** The places of the school and how many people they hold: larger courses in them are pointed out. */
export function PlacesTab() {
  const list = useList(planCalendarApi.places, { under: 'places' })
  const [editing, setEditing] = useState<{ place?: Place }>()
  const edit = action.open({
    label: '编辑',
    call: planCalendarApi.savePlace,
    fits: ({ can }) => can.includes('edit'),
    onOpen: ([place]) => setEditing({ place: place! }),
  })
  return (
    <>
      <div className="school-bar">
        <p className="school-note">课程的活动地点与场地同名时，名额超过可容纳人数会提示申报人与审批人，不影响提交。</p>
        <ActionButton to={planCalendarApi.savePlace} primary icon={<PlusOutlined />} onClick={() => setEditing({})}>
          新增场地
        </ActionButton>
      </div>
      <ListTable
        list={list}
        rowKey="plId"
        columns={columns}
        rowActions={[edit, remove]}
        name="places"
        empty={{ text: '暂无场地', hint: '录入礼堂、教室等场地及可容纳人数。' }}
      />
      {editing && <PlaceDialog {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

function PlaceDialog({ place, onClose }: { place?: Place; onClose: () => void }) {
  const initial = useMemo(() => (place ? { ...place } : {}), [place])
  return (
    <DialogForm
      call={planCalendarApi.savePlace}
      title={place ? '编辑场地' : '新增场地'}
      initial={initial}
      onClose={onClose}
    >
      <TextField name="plName" placeholder="例如：大学生活动中心 302" />
      <NumberField name="plCapacity" unit="人" />
    </DialogForm>
  )
}
