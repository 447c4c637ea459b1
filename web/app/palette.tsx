import SearchOutlined from '@ant-design/icons/SearchOutlined'
import { Modal } from 'antd'
import { useMemo, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { quoted } from '../../contract/core/quotes.ts'
import type { MenuGroup } from '../../contract/school/session/session.calls.ts'
import { figure } from '../core/service/figure.ts'
import type { TabSet } from './tab-set.ts'
import { recentScreens, useFavourites } from './favourites.ts'
import { allTargets, fittingTargets, type Target } from './palette-targets.ts'
import { useFoundRecords } from './use-found-records.ts'

/** How many screens are listed, and how many beside students and courses. */
const maxShown = 12
const maxBesideRecords = 6

/**
 * Ctrl+K: type a part of a screen's name, its pinyin or initials, or a student or course, and go there; favourites and
 * open tabs come first.
 */
export function Palette({ groups, set, onClose }: { groups: MenuGroup[]; set: TabSet; onClose: () => void }) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const { favourites } = useFavourites()
  const targets = useMemo(() => allTargets(groups, set, favourites, recentScreens()), [groups, set, favourites])
  const records = useFoundRecords(query)
  const screens = fittingTargets(targets, query)
  const listed = screens.slice(0, records.found.length > 0 ? maxBesideRecords : maxShown)
  const found = [...listed, ...records.found]
  const go = (target: Target | undefined) => {
    if (!target) return
    onClose()
    void navigate(target.address)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((now) => Math.min(now + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setAt((now) => Math.max(now - 1, 0))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) go(found[at])
    else return
    event.preventDefault()
  }
  return (
    <Modal
      open
      footer={null}
      closable={false}
      onCancel={onClose}
      width={560}
      style={{ top: 88 }}
      title={<span className="visually-hidden">搜索与跳转</span>}
      className="palette"
    >
      <div className="palette-input">
        <SearchOutlined />
        <input
          autoFocus
          role="combobox"
          aria-label="搜索与跳转"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={found[at] ? `palette-${at}` : undefined}
          placeholder="页面名称、拼音首字母，或学生、课程"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
      </div>
      <ul id="palette-list" role="listbox" aria-label="搜索结果">
        {found.map((target, index) => (
          <li
            key={target.address + target.place}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            onClick={() => go(target)}
          >
            <span title={target.title}>{target.title}</span>
            <small title={target.place}>{target.place}</small>
          </li>
        ))}
      </ul>
      {listed.length < screens.length && (
        <p className="palette-none" role="status">
          另有 {figure(screens.length - listed.length)} 个页面未列出，请继续输入
        </p>
      )}
      {found.length === 0 && (
        <p className="palette-none" role="status">
          {records.isSearching
            ? '正在查找…'
            : records.isFailed
              ? '未能查找，请稍后重试'
              : `没有找到${quoted(query)}，请换一个词`}
        </p>
      )}
    </Modal>
  )
}
