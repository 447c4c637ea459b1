import MoreOutlined from '@ant-design/icons/MoreOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Dropdown } from 'antd'
import { useMemo, useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { savedViewApi, type SavedView } from '../../../contract/school/session/saved-views.calls.ts'
import { startAction } from '../action/action-dialog.tsx'
import { actionOn } from '../action/action.tsx'
import { TextField } from '../form/fields.tsx'
import { DialogForm } from '../form/dialog-form.tsx'
import { notify } from '../service/notice.tsx'
import { useCall, useSend } from '../service/use-call.ts'
import type { List } from './use-list.ts'

const action = actionOn<SavedView>()
const remove = action({
  label: '删除视图',
  call: savedViewApi.remove,
  isDanger: true,
  confirm: '只删除视图，不影响数据。',
  input: ([view]) => ({ svId: view!.svId }),
  doneText: () => '视图已删除',
})

/** Filters and order as texts: what a view keeps. The page is none of it. */
const queryOf = ({ ownFilters, state: { sort, order } }: List<unknown>): Record<string, string> => ({
  ...ownFilters,
  ...(sort && order ? { sort, order } : {}),
})
const without = (query: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
const isSame = (a: Record<string, string>, b: Record<string, string>) =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value)

interface SavedViewsProps {
  list: List<unknown>
  /** The list's name among all of the console: the path of its screen. */
  listName: string
  /** Filters that no view keeps. */
  notKept: readonly string[]
}

/** The views of a list that the person keeps on the server: one click shows them; what is filtered now becomes one. */
export function SavedViews({ list, listName, notKept }: SavedViewsProps) {
  const { data: views = [] } = useCall(savedViewApi.list, { listName }, { staleTime: 60_000 })
  const [editing, setEditing] = useState<SavedView | 'new'>()
  const { send } = useSend(savedViewApi.save)
  const now = useMemo(() => without(queryOf(list), notKept), [list, notKept])
  const canKeep = Object.keys(list.ownFilters).some((name) => !notKept.includes(name))
  const current = views.find(({ svQuery }) => isSame(without(svQuery, notKept), now))
  const show = ({ svQuery }: SavedView) => {
    const { sort, order, ...filters } = without(svQuery, notKept)
    list.show(filters, sort, order as 'asc' | 'desc' | undefined)
  }
  return (
    <>
      {views.map((view) => (
        <span key={view.svId} className="saved-view">
          <button type="button" aria-pressed={view === current} onClick={() => show(view)}>
            {view.svTitle}
          </button>
          <Dropdown
            trigger={['click']}
            menu={{
              items: [
                ...(view !== current && canKeep
                  ? [
                      {
                        key: 'set',
                        label: '更新为当前条件',
                        onClick: () =>
                          void send({ svId: view.svId, listName, svTitle: view.svTitle, svQuery: now })
                            .then(() => notify('success', '视图已更新'))
                            .catch(() => undefined),
                      },
                    ]
                  : []),
                { key: 'name', label: '重命名', onClick: () => setEditing(view) },
                {
                  key: 'remove',
                  label: '删除',
                  danger: true,
                  onClick: () => startAction(remove, [view], ({ svTitle }) => svTitle),
                },
              ],
            }}
          >
            <button type="button" className="saved-view-more" aria-label={`视图${quoted(view.svTitle)}的操作`}>
              <MoreOutlined />
            </button>
          </Dropdown>
        </span>
      ))}
      {canKeep && !current && (
        <Button type="link" size="small" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
          存为视图
        </Button>
      )}
      {editing && (
        <DialogForm
          title={editing === 'new' ? '存为视图' : '重命名视图'}
          call={savedViewApi.save}
          width={420}
          initial={editing === 'new' ? newView : (editing as unknown as Record<string, unknown>)}
          input={({ svTitle }) =>
            editing === 'new'
              ? { listName, svTitle: svTitle as string, svQuery: now }
              : { svId: editing.svId, listName, svTitle: svTitle as string, svQuery: editing.svQuery }
          }
          doneText={editing === 'new' ? '视图已保存，在其他电脑上登录也可使用' : '视图已重命名'}
          onClose={() => setEditing(undefined)}
        >
          <TextField
            name="svTitle"
            label="视图名称"
            placeholder="例如：本学期校级讲座"
            help={editing === 'new' ? '保存当前的筛选条件与排序，仅自己可见' : undefined}
          />
        </DialogForm>
      )}
    </>
  )
}

const newView = { svTitle: '' }
