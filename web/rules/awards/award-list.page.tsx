import { figure } from '../../core/service/figure.ts'
import AppstoreAddOutlined from '@ant-design/icons/AppstoreAddOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { Link } from 'react-router'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { send } from '../../core/service/api.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { InUseDialog } from '../../core/screen/in-use-dialog.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { enableTones } from '../../core/parts/status-chip.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { AwardDetails } from './award-details.tsx'
import { AwardDialog } from './award-dialog.tsx'
import { ReadyDialog } from './ready-dialog.tsx'
import './awards.css'

type Row = RowOf<typeof awardApi.list>
const action = actionOn<Row>()
const unit = '个奖励模板'
const remove = action.remove({
  call: awardApi.remove,
  unit,
  input: (rows) => ({ atIds: rows.map(({ atId }) => atId) }),
})
const toggle = (enable: '0' | '1') =>
  action({
    label: enable === enableStatus.enabled ? '启用' : '停用',
    call: awardApi.enable,
    unit,
    fits: (row) => row.can.includes('edit') && row.enable !== enable,
    confirm: enable === enableStatus.disabled && '停用后新建课程不能再选择，已选择的课程不受影响。',
    input: (rows) => ({ atIds: rows.map(({ atId }) => atId), enable }),
  })
const [enable, disable] = [toggle(enableStatus.enabled), toggle(enableStatus.disabled)]
/** The courses that give awards of a template. */
const coursesOf = (atId: string) => `/courseManagement/CurriculumList?atId=${atId}`

type Shown = { what: 'form'; atId?: string; copy?: boolean } | { what: 'ready' } | { what: 'used'; row: Row }

/** Award templates: named sets of awards that courses choose from. */
export function AwardListPage() {
  const list = useList(awardApi.list)
  const may = usePermission()
  const [shown, setShown] = useState<Shown>()
  const edit = action.open({
    label: '编辑',
    call: awardApi.edit,
    fits: (row) => row.can.includes('edit'),
    onOpen: ([row]) => setShown({ what: 'form', atId: row!.atId }),
  })
  const copy = action.open({
    label: '复制',
    call: awardApi.add,
    onOpen: ([row]) => setShown({ what: 'form', atId: row!.atId, copy: true }),
  })
  const used = action.open({
    label: '删除',
    call: awardApi.remove,
    isDanger: true,
    fits: (row) => row.can.includes('edit') && !row.can.includes('delete'),
    onOpen: ([row]) => setShown({ what: 'used', row: row! }),
  })
  const columns: Column<Row>[] = [
    { title: '模板名称', dataIndex: 'atName', width: 180, fixed: 'left', sorter: true, opens: edit },
    { title: '类型', dataIndex: 'atType', width: 96, sorter: true, dict: 'award_type' },
    { title: '奖项', dataIndex: 'awardNames' },
    {
      title: '采用课程',
      dataIndex: 'usedCount',
      width: 96,
      number: true,
      to: ({ atId }) => may(lessonApi.view) && coursesOf(atId),
    },
    { title: '状态', dataIndex: 'enable', width: 84, sorter: true, dict: 'enable_status', tones: enableTones },
    { title: '创建人', dataIndex: 'createName', width: 100, sorter: true, hiddenAtFirst: true },
    { title: '更新时间', dataIndex: 'updateTime', width: 168, sorter: true },
  ]
  const add = (primary: boolean) => (
    <ActionButton
      to={awardApi.add}
      primary={primary}
      icon={<PlusOutlined />}
      onClick={() => setShown({ what: 'form' })}
    >
      新增奖励模板
    </ActionButton>
  )
  const ready = (
    <ActionButton to={awardApi.addReady} icon={<AppstoreAddOutlined />} onClick={() => setShown({ what: 'ready' })}>
      添加常用模板
    </ActionButton>
  )
  const close = () => setShown(undefined)
  return (
    <>
      <ListPage
        title="奖励模板"
        list={list}
        rowKey="atId"
        columns={columns}
        filters={
          <>
            <TextFilter name="atName" label="模板名称" />
            <DictionaryFilter name="atType" type="award_type" label="类型" />
            <DictionaryFilter name="enable" type="enable_status" label="状态" />
          </>
        }
        tools={
          <>
            <ExportButton to={awardApi.exportList} list={list} />
            {ready}
            {add(true)}
          </>
        }
        expand={({ atId }) => <AwardDetails atId={atId} />}
        rowActions={[edit, copy, enable, disable, remove, used]}
        batchActions={[enable, disable, remove]}
        empty={{
          text: '暂无奖励模板',
          hint: '课程从模板中选择可颁发的奖项及其学时、学分与积分。可从常用模板开始。',
          next: (
            <>
              {ready}
              {add(false)}
            </>
          ),
        }}
      />
      {shown?.what === 'form' && <AwardDialog {...shown} onClose={close} />}
      {shown?.what === 'ready' && <ReadyDialog onClose={close} />}
      {shown?.what === 'used' && (
        <InUseDialog
          name={shown.row.atName}
          why={
            shown.row.usedCount > 0 ? (
              <>
                已有{' '}
                <Link to={coursesOf(shown.row.atId)} onClick={close}>
                  {figure(shown.row.usedCount)} 门课程
                </Link>
                采用该奖励模板。
              </>
            ) : (
              '已删除的课程仍采用该奖励模板，须为其保留。'
            )
          }
          {...(shown.row.enable === enableStatus.enabled && {
            disable: {
              call: awardApi.enable,
              run: () => send(awardApi.enable, { atIds: [shown.row.atId], enable: enableStatus.disabled }),
              hint: '停用后新建课程不能再选择，已选择的课程不受影响。',
            },
          })}
          onClose={close}
        />
      )}
    </>
  )
}
