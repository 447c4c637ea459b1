import AppstoreAddOutlined from '@ant-design/icons/AppstoreAddOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Drawer, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { curriculumApi, type CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { usesText } from '../../../contract/rules/curriculum/curriculum.schema.ts'
import { actionOn } from '../../core/action/action.tsx'
import { send } from '../../core/service/api.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { InUseDialog } from '../../core/screen/in-use-dialog.tsx'
import { notify } from '../../core/service/notice.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { figure } from '../../core/service/figure.ts'
import { MoveDialog } from './move-dialog.tsx'
import { NodeDetail, type NodeRecord } from './node-detail.tsx'
import { NodeDialog } from './node-dialog.tsx'
import { NodeTree } from './node-tree.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { find, flat, found, placeOf, type Place } from './tree.ts'
import './curriculum.css'

const uses = [
  { value: '', label: '全部' },
  { value: curriculumType.lessons, label: '用于课程' },
  { value: curriculumType.supplements, label: '用于补录' },
]
type Shown =
  | { what: 'form'; lsId?: string; lsPid?: string }
  | { what: 'move'; node: CurriculumNode }
  | { what: 'used'; node: NodeRecord }
  | { what: 'templates' }

const none: CurriculumNode[] = []
const action = actionOn<NodeRecord>()
const toggle = (enable: '0' | '1') =>
  action({
    label: enable === enableStatus.enabled ? '启用' : '停用',
    call: curriculumApi.enable,
    fits: (row) => row.can.includes('edit') && row.enable !== enable,
    confirm:
      enable === enableStatus.disabled &&
      ((rows) =>
        rows[0]!.children.length > 0
          ? '它与所有下级体系都不能再新建课程和补录，已有的不受影响。'
          : '停用后不能再新建课程和补录，已有的不受影响。'),
    input: (rows) => ({ lsId: rows.map(({ lsId }) => lsId), enable }),
  })
const isUsed = ({ uses: what }: NodeRecord) => what !== undefined && usesText(what) !== ''
const isFree = ({ uses: what }: NodeRecord) => what !== undefined && usesText(what) === ''

/** The curriculum of a school: the tree at the left, what the chosen node is set to at the right. */
export function CurriculumPage() {
  const [query, change] = useAddress()
  const [shown, setShown] = useState<Shown>()
  const [open, setOpen] = useState<readonly string[]>([])
  const [gone, setGone] = useState<string>()
  const isPhone = useIsPhone()
  const may = usePermission()
  const mover = useSend(curriculumApi.move)
  const lsType =
    query.get('lsType') === curriculumType.lessons || query.get('lsType') === curriculumType.supplements
      ? (query.get('lsType') as '1' | '2')
      : undefined
  const word = query.get('lsName') ?? ''
  const { data: read } = useCall(curriculumApi.all, { withCounts: '1' }, { keepPrevious: true })
  const tree = read ?? none
  const visible = useMemo(() => found(fitting(tree, lsType), word), [tree, lsType, word])
  const asked = find(tree, query.get('lsId')) ?? (isPhone ? undefined : visible[0])
  const chosen = asked?.lsId === gone ? undefined : asked
  const set = (values: Record<string, string>) => change(withParams(values), { replace: true })
  const opened = word
    ? flat(visible).map(({ lsId }) => lsId)
    : [...new Set([...open, ...(chosen?.lsPath.slice(0, -1) ?? [])])]
  const canMove = may(curriculumApi.move) && !word && !lsType

  const move = async (node: CurriculumNode, place: Place) => {
    const from = placeOf(tree, node)
    await mover.send({ lsId: node.lsId, version: node.version, ...asInput(place) })
    notify('success', `已移动${quoted(node.lsName)}`, {
      label: '撤销',
      run: () =>
        void mover.send({ lsId: node.lsId, version: node.version + 1, ...asInput(from) }).catch(() => undefined),
    })
  }
  const moveNow = (node: CurriculumNode, place: Place) =>
    void (!mover.isSending && move(node, place).catch(() => undefined))
  const remove = action({
    label: '删除',
    call: curriculumApi.del,
    isDanger: true,
    fits: (row) => row.can.includes('edit') && isFree(row),
    confirm: '删除后不能恢复。',
    input: (rows) => ({ lsId: rows.map(({ lsId }) => lsId) }),
    after: (_, [row]) => {
      // the address follows too late to keep the page from asking for it once more
      setGone(row!.lsId)
      set({ lsId: row!.lsPid ?? '' })
    },
  })
  const acts = [
    action.open({
      label: '编辑',
      call: curriculumApi.edit,
      fits: (row) => row.can.includes('edit'),
      onOpen: ([row]) => setShown({ what: 'form', lsId: row!.lsId }),
    }),
    action.open({
      label: '新增下级',
      call: curriculumApi.add,
      fits: (row) => row.can.includes('add'),
      onOpen: ([row]) => setShown({ what: 'form', lsPid: row!.lsId }),
    }),
    action.open({
      label: '移动到…',
      call: curriculumApi.move,
      fits: (row) => row.can.includes('move'),
      onOpen: ([row]) => setShown({ what: 'move', node: row! }),
    }),
    toggle(enableStatus.enabled),
    toggle(enableStatus.disabled),
    remove,
    action.open({
      label: '删除',
      call: curriculumApi.del,
      isDanger: true,
      fits: (row) => row.can.includes('edit') && isUsed(row),
      onOpen: ([row]) => setShown({ what: 'used', node: row! }),
    }),
  ]
  const detail = chosen && (
    <NodeDetail key={chosen.lsId} node={chosen} tree={tree} acts={acts} canMove={canMove} onMove={moveNow} />
  )
  const close = () => setShown(undefined)
  const add = (
    <ActionButton to={curriculumApi.add} primary icon={<PlusOutlined />} onClick={() => setShown({ what: 'form' })}>
      新增模块
    </ActionButton>
  )
  const templates = (
    <ActionButton
      to={curriculumApi.addTemplate}
      icon={<AppstoreAddOutlined />}
      onClick={() => setShown({ what: 'templates' })}
    >
      从模板添加
    </ActionButton>
  )
  const isEmpty = read?.length === 0
  return (
    <div className="page">
      <PageHead
        title="课程体系"
        facts={
          read === undefined || isEmpty
            ? ''
            : `${figure(tree.length)} 个模块，${figure(flat(tree).length - tree.length)} 个下级体系，各模块最低合计 ${figure(required(tree))} 学时`
        }
        tools={
          <>
            {!isEmpty && (
              <ExportButton
                to={curriculumApi.exportList}
                input={{ ...(lsType && { lsType }), ...(word && { lsName: word }) }}
              />
            )}
            {templates}
            {add}
          </>
        }
      />
      {isEmpty ? (
        <div className="card">
          <EmptyState
            text="暂无课程体系"
            hint="课程体系是课程、评价规则与成绩单的分类，可从现成的模板开始，再按本校情况调整。"
            next={
              <>
                {templates}
                {add}
              </>
            }
          />
        </div>
      ) : (
        <div className="tree-columns">
          <div className="card tree-card">
            <Segmented
              block
              options={uses}
              value={lsType ?? ''}
              onChange={(value) => set({ lsType: value })}
              aria-label="适用范围"
            />
            <SearchBox
              defaultValue={word}
              placeholder="按名称或编码查找"
              aria-label="按名称或编码查找"
              onSearch={(text) => set({ lsName: text.trim() })}
            />
            <div className="tree-tools">
              <Button type="text" size="small" onClick={() => setOpen(flat(tree).map(({ lsId }) => lsId))}>
                全部展开
              </Button>
              <Button type="text" size="small" onClick={() => (setOpen([]), set({ lsId: chosen?.lsPath[0] ?? '' }))}>
                全部收起
              </Button>
              {may(curriculumApi.move) && !isPhone && (
                <small>{canMove ? '拖动或按 Alt＋↑↓ 调整顺序' : '筛选时不能调整顺序'}</small>
              )}
            </div>
            {read === undefined ? (
              <ReadSkeleton paragraph={{ rows: 10 }} />
            ) : visible.length === 0 ? (
              <EmptyState
                text="没有符合条件的体系"
                next={<Button onClick={() => set({ lsName: '', lsType: '' })}>清空筛选</Button>}
              />
            ) : (
              <NodeTree
                shown={visible}
                tree={tree}
                chosen={chosen?.lsId}
                onChoose={(lsId) => set({ lsId })}
                open={opened}
                onOpen={setOpen}
                canMove={canMove && !isPhone}
                onMove={moveNow}
              />
            )}
          </div>
          {isPhone ? (
            <Drawer open={chosen !== undefined} title="课程体系" size="100%" onClose={() => set({ lsId: '' })}>
              {detail}
            </Drawer>
          ) : (
            <div className="card tree-detail">{detail}</div>
          )}
        </div>
      )}
      {shown?.what === 'form' && (
        <NodeDialog
          lsId={shown.lsId}
          lsPid={shown.lsPid}
          tree={tree}
          onClose={close}
          onAdded={(lsId) => set({ lsId })}
        />
      )}
      {shown?.what === 'move' && <MoveDialog node={shown.node} tree={tree} onMove={move} onClose={close} />}
      {shown?.what === 'used' && (
        <InUseDialog
          name={shown.node.lsName}
          why={`该体系下存在 ${usesText(shown.node.uses!)}。`}
          {...(shown.node.enable === enableStatus.enabled && {
            disable: {
              call: curriculumApi.enable,
              run: () => send(curriculumApi.enable, { lsId: [shown.node.lsId], enable: enableStatus.disabled }),
              hint: '停用后不能再新建课程和补录，已有的课程、规则与学分不受影响。',
            },
          })}
          onClose={close}
        />
      )}
      {shown?.what === 'templates' && <TemplateDialog onClose={close} />}
    </div>
  )
}

const asInput = ({ lsPid, after }: Place) => ({ ...(lsPid && { lsPid }), ...(after && { after }) })

/** The nodes that serve a use, with what lies above them. */
const fitting = (nodes: readonly CurriculumNode[], use: string | undefined): CurriculumNode[] =>
  nodes
    .filter(({ lsType }) => !use || lsType === use || lsType === curriculumType.both)
    .map((node) => ({ ...node, children: fitting(node.children, use) }))

/** Hours that graduation asks for: the sum over required modules. */
const required = (modules: readonly CurriculumNode[]) =>
  modules
    .filter((module) => module.required === yesNo.yes && module.enable === enableStatus.enabled)
    .reduce((total, { minHours }) => total + Number(minHours), 0)
