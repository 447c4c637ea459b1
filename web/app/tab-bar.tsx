import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { Dropdown } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Dialog } from '../core/parts/dialog.tsx'
import type { TabSet } from './tab-set.ts'
import { addressOf, type OpenTab } from './tabs.ts'
import { unsavedText } from './unsaved-text.ts'

/** The opened screens. The middle button or the cross closes one; the right button offers the rest. */
export function TabBar({ set }: { set: TabSet }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<{ keys: string[]; reloads?: boolean }>()
  const bar = useRef<HTMLDivElement>(null)
  const { tabs, active, titles, unsaved } = set

  useEffect(() => {
    // the whole tab with its cross, which moves when the title of a record has come
    bar.current?.querySelector('.tab-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active?.key, active && titles[active.key]])

  const close = (keys: string[]) => {
    if (keys.some((key) => unsaved.has(key))) setAsking({ keys })
    else set.close(keys)
  }
  const works = asking?.keys.flatMap((key) => unsaved.get(key) ?? []) ?? []
  const reload = (key: string) => (unsaved.has(key) ? setAsking({ keys: [key], reloads: true }) : set.reload(key))
  const isLast = (tab: OpenTab) => tabs.length === 1 && tab.screen.path === '/home'
  const titleOf = (tab: OpenTab) => titles[tab.key] ?? tab.screen.title

  const menuOf = (tab: OpenTab) => {
    const others = tabs.filter((one) => one !== tab).map(({ key }) => key)
    const right = tabs.slice(tabs.indexOf(tab) + 1).map(({ key }) => key)
    const act = (keys: string[]) => {
      if (tab !== active && active && keys.includes(active.key)) void navigate(addressOf(tab.location))
      close(keys)
    }
    return {
      items: [
        { key: 'reload', label: '刷新', onClick: () => reload(tab.key) },
        { key: 'close', label: '关闭', disabled: isLast(tab), onClick: () => close([tab.key]) },
        { key: 'others', label: '关闭其他', disabled: others.length === 0, onClick: () => act(others) },
        { key: 'right', label: '关闭右侧', disabled: right.length === 0, onClick: () => act(right) },
      ],
    }
  }

  return (
    <div className="tab-bar" ref={bar} role="navigation" aria-label="已打开的页签">
      {tabs.map((tab) => (
        <Dropdown key={tab.key} menu={menuOf(tab)} trigger={['contextMenu']}>
          <div
            className={`tab${tab === active ? ' tab-active' : ''}`}
            onAuxClick={(event) => event.button === 1 && !isLast(tab) && close([tab.key])}
          >
            <Link to={addressOf(tab.location)} aria-current={tab === active ? 'page' : undefined} title={titleOf(tab)}>
              {unsaved.has(tab.key) && <i className="tab-dirty" title="有未保存的内容" />}
              {titleOf(tab)}
            </Link>
            {!isLast(tab) && (
              <button type="button" aria-label={`关闭${titleOf(tab)}`} onClick={() => close([tab.key])}>
                <CloseOutlined />
              </button>
            )}
          </div>
        </Dropdown>
      ))}
      <Dialog
        open={asking !== undefined}
        title="有未保存的内容"
        okText={asking?.reloads ? '不保存并刷新' : '不保存并关闭'}
        okButtonProps={{ danger: true }}
        cancelText="继续编辑"
        width={420}
        onCancel={() => setAsking(undefined)}
        onOk={() => {
          if (asking?.reloads) set.reload(asking.keys[0]!)
          else set.close(asking?.keys ?? [])
          setAsking(undefined)
        }}
      >
        <p>{unsavedText(works, asking?.reloads ? '刷新' : '关闭')}</p>
      </Dialog>
    </div>
  )
}
