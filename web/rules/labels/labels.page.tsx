import AppstoreAddOutlined from '@ant-design/icons/AppstoreAddOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Modal, Segmented } from 'antd'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { send } from '../../core/service/api.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { InUseDialog } from '../../core/screen/in-use-dialog.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { moved } from '../../core/parts/sortable.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { figure } from '../../core/service/figure.ts'
import { LabelDialog } from './label-dialog.tsx'
import { LabelGroups } from './label-groups.tsx'
import { PlatformDialog } from './platform-dialog.tsx'
import { UsesList } from './uses-list.tsx'
import './labels.css'

export type LabelGroup = Output<typeof labelApi.all>[number]
/** A label, or a group by itself. */
export type Label = LabelGroup['children'][number]

const action = actionOn<Label>()
const toggle = (enable: '0' | '1') =>
  action({
    label: enable === enableStatus.enabled ? '启用' : '停用',
    call: labelApi.enable,
    fits: (row) => row.can.includes('edit') && row.enable !== enable,
    confirm: enable === enableStatus.disabled && '停用后不能再用于新的评价规则，已有的规则与得分不受影响。',
    input: (rows) => ({ sqlId: rows.map(({ sqlId }) => sqlId), enable }),
  })
const remove = action.remove({
  call: labelApi.del,
  input: (rows) => ({ sqlId: rows.map(({ sqlId }) => sqlId) }),
})

const states = [
  { value: '', label: '全部' },
  { value: enableStatus.enabled, label: '启用' },
  { value: enableStatus.disabled, label: '停用' },
]
type Shown =
  | { what: 'form'; label?: Label; sqlPid?: string }
  | { what: 'adopt' }
  | { what: 'uses'; label: Label }
  | { what: 'used'; label: Label }

/** The quality labels of a school: groups, and the abilities that courses give points for. */
export function LabelsPage() {
  const [query, change] = useAddress()
  const [shown, setShown] = useState<Shown>()
  const may = usePermission()
  const mover = useSend(labelApi.move)
  const word = query.get('sqlName') ?? ''
  const enable =
    query.get('enable') === enableStatus.enabled || query.get('enable') === enableStatus.disabled
      ? (query.get('enable') as '0' | '1')
      : undefined
  const isFiltered = word !== '' || enable !== undefined
  const asked = { ...(word && { sqlName: word }), ...(enable && { enable }) }
  const { data: read, isPlaceholderData: isFormer } = useCall(labelApi.all, asked, { keepPrevious: true })
  const groups = read ?? []
  const set = (name: string, value: string) => change(withParams({ [name]: value }), { replace: true })
  const move = (label: Label, row: readonly Label[], to: number) => {
    const after = moved(row, row.indexOf(label), to)[to - 1]?.sqlId
    return mover.send({
      sqlId: label.sqlId,
      version: label.version,
      ...(label.sqlPid && { sqlPid: label.sqlPid }),
      ...(after && { after }),
    })
  }
  const acts = [
    action.open({
      label: '编辑',
      call: labelApi.edit,
      fits: (row) => row.can.includes('edit'),
      onOpen: ([row]) => setShown({ what: 'form', label: row! }),
    }),
    action.open({
      label: '新增标签',
      call: labelApi.edit,
      fits: (row) => row.sqlPid === null && row.can.includes('edit'),
      onOpen: ([row]) => setShown({ what: 'form', sqlPid: row!.sqlId }),
    }),
    toggle(enableStatus.enabled),
    toggle(enableStatus.disabled),
    remove,
    action.open({
      label: '删除',
      call: labelApi.del,
      isDanger: true,
      fits: (row) => row.can.includes('edit') && !row.can.includes('delete'),
      onOpen: ([row]) => setShown({ what: 'used', label: row! }),
    }),
  ]
  const close = () => setShown(undefined)
  const count = groups.reduce((sum, { children }) => sum + children.length, 0)
  const tools = (
    <>
      {groups.length > 0 && <ExportButton to={labelApi.exportList} input={asked} />}
      <ActionButton to={labelApi.adopt} icon={<AppstoreAddOutlined />} onClick={() => setShown({ what: 'adopt' })}>
        从平台标签库采用
      </ActionButton>
      <ActionButton to={labelApi.edit} primary icon={<PlusOutlined />} onClick={() => setShown({ what: 'form' })}>
        新增标签
      </ActionButton>
    </>
  )
  return (
    <div className="page">
      <PageHead
        title="素质标签"
        facts={
          read && (
            <span className={formerClass(isFormer)}>
              {figure(groups.length)} 个分组，{figure(count)} 个标签；评价规则按标签给出能力分
            </span>
          )
        }
        tools={tools}
      />
      <div className="card label-bar">
        <SearchBox
          defaultValue={word}
          placeholder="按名称查找"
          aria-label="按名称查找"
          onSearch={(text) => set('sqlName', text.trim())}
        />
        <Segmented options={states} value={enable ?? ''} onChange={(value) => set('enable', value)} aria-label="状态" />
        {may(labelApi.move) && <small>{isFiltered ? '筛选时不能调整顺序' : '拖动左侧手柄调整顺序'}</small>}
      </div>
      {/* that there are none is said once that is known, and not of the former filters' */}
      {(read === undefined || (isFormer && read.length === 0)) && (
        <div className="card label-wait">
          <ReadSkeleton paragraph={{ rows: 8 }} />
        </div>
      )}
      {read?.length === 0 && !isFormer && (
        <div className="card">
          <EmptyState
            text={isFiltered ? '没有符合条件的标签' : '暂无素质标签'}
            hint={isFiltered ? undefined : '从平台标签库采用一组，或新增本校自己的标签。'}
            next={isFiltered ? undefined : tools}
          />
        </div>
      )}
      <LabelGroups
        groups={groups}
        isFormer={isFormer}
        acts={acts}
        // among the rows of a former filter a neighbour may be hidden still
        canMove={!isFiltered && !isFormer && may(labelApi.move)}
        onMove={move}
        onEdit={may(labelApi.edit) ? (label) => setShown({ what: 'form', label }) : undefined}
        onUses={(label) => setShown({ what: 'uses', label })}
      />
      {shown?.what === 'form' && <LabelDialog {...shown} groups={groups} onClose={close} />}
      {shown?.what === 'adopt' && <PlatformDialog onClose={close} />}
      {shown?.what === 'uses' && (
        <Modal open title={`采用${quoted(shown.label.sqlName)}的评价规则`} footer={null} onCancel={close}>
          <UsesList sqlId={shown.label.sqlId} />
        </Modal>
      )}
      {shown?.what === 'used' && (
        <InUseDialog
          name={shown.label.sqlName}
          why={`${whyUsed(shown.label, groups)}。`}
          {...(shown.label.enable === enableStatus.enabled && {
            disable: {
              call: labelApi.enable,
              run: () => send(labelApi.enable, { sqlId: [shown.label.sqlId], enable: enableStatus.disabled }),
              hint: '停用后不能再用于新的评价规则，已有的规则与得分不受影响。',
            },
          })}
          onClose={close}
        >
          {shown.label.usedCount > 0 && <UsesList sqlId={shown.label.sqlId} />}
        </InUseDialog>
      )}
    </div>
  )
}

/** Why a label or a group cannot go. */
function whyUsed({ sqlId, sqlName, sqlPid, usedCount, inModel }: Label, groups: readonly LabelGroup[]): string {
  const below = groups.find((group) => group.sqlId === sqlId)?.children.length ?? 0
  const reasons = [
    sqlPid === null && below > 0 && `下仍有 ${figure(below)} 个标签`,
    usedCount > 0 && `已被 ${figure(usedCount)} 条评价规则采用`,
    inModel && '已选入素质模型',
  ].filter(Boolean)
  return `${sqlPid === null ? '分组' : '标签'}${quoted(sqlName)}${reasons.join('、')}`
}
