import BulbFilled from '@ant-design/icons/BulbFilled'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import DesktopOutlined from '@ant-design/icons/DesktopOutlined'
import DownOutlined from '@ant-design/icons/DownOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import StarFilled from '@ant-design/icons/StarFilled'
import StarOutlined from '@ant-design/icons/StarOutlined'
import { Dropdown, Tooltip } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import type { MenuGroup } from '../../contract/school/session/session.calls.ts'
import { usePref } from '../core/service/prefs.ts'
import { useFavourites } from './favourites.ts'
import { groupOf, parentOf } from './menu.ts'
import { Palette } from './palette.tsx'
import { BackgroundTasks } from './background-tasks.tsx'
import { Bell } from './bell.tsx'
import { heldPath } from './held.ts'
import type { Session } from './session.ts'
import type { TabSet } from './tab-set.ts'
import { addressOf } from './tabs.ts'
import { useTheme, type ThemeMode } from './theme.ts'
import { Version } from './version.tsx'

interface HeaderProps {
  session: Session
  groups: MenuGroup[]
  set: TabSet
  title: string
  toggle: ReactNode
}

/** Where the person is, the way to anywhere else, and what is their own. */
export function Header({ session, groups, set, title, toggle }: HeaderProps) {
  const [isSearching, setSearching] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setSearching(true)
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  return (
    <header className="header">
      {toggle}
      <Breadcrumb session={session} set={set} title={title} />
      <div className="header-right">
        <button type="button" className="search-button" onClick={() => setSearching(true)}>
          <SearchOutlined />
          <span>搜索与跳转</span>
          <kbd aria-hidden="true">Ctrl K</kbd>
        </button>
        <FavouriteButton groups={groups} set={set} />
        <ThemeButton />
        {/* nothing can be begun, or asked for, before this is done */}
        {heldPath(session.profile) === undefined && <BackgroundTasks />}
        <Bell />
        <UserMenu session={session} />
      </div>
      {isSearching && <Palette groups={groups} set={set} onClose={() => setSearching(false)} />}
    </header>
  )
}

function Breadcrumb({ session, set, title }: Pick<HeaderProps, 'session' | 'set' | 'title'>) {
  const path = set.active?.screen.path ?? ''
  const parent = parentOf(session.menu, path)
  const parentTab = set.tabs.find((tab) => tab.key === parent?.path)
  const group = groupOf(session.menu, path)
  return (
    <nav className="crumbs" aria-label="当前位置">
      {group && group !== title && <span>{group}</span>}
      {parent && <Link to={parentTab ? addressOf(parentTab.location) : parent.path}>{parent.title}</Link>}
      <span aria-current="page" title={title}>
        {title}
      </span>
    </nav>
  )
}

/** Takes the screen at hand among the favourites, which the palette offers first. */
function FavouriteButton({ groups, set }: Pick<HeaderProps, 'groups' | 'set'>) {
  const { favourites, toggle } = useFavourites()
  const path = set.active?.screen.path
  if (!path || !groups.some(({ pages }) => pages.some((page) => page.path === path))) return null
  const isKept = favourites.includes(path)
  return (
    <Tooltip title={isKept ? '取消收藏此页面' : '收藏此页面，在搜索与跳转中排在最前'}>
      <button
        type="button"
        className="icon-button favourite-button"
        aria-pressed={isKept}
        aria-label="收藏此页面"
        onClick={() => toggle(path)}
      >
        {isKept ? <StarFilled /> : <StarOutlined />}
      </button>
    </Tooltip>
  )
}

const themes: Record<ThemeMode, { label: string; icon: ReactNode }> = {
  light: { label: '浅色', icon: <BulbOutlined /> },
  dark: { label: '深色', icon: <BulbFilled /> },
  system: { label: '跟随系统', icon: <DesktopOutlined /> },
}

function ThemeButton() {
  const { mode, next } = useTheme()
  const [, keep] = usePref<ThemeMode>('theme', mode)
  return (
    <Tooltip title={`主题：${themes[mode].label}`}>
      <button
        type="button"
        className="icon-button"
        aria-label={`切换主题，当前${themes[mode].label}`}
        onClick={() => keep(next())}
      >
        {themes[mode].icon}
      </button>
    </Tooltip>
  )
}

function UserMenu({ session: { profile } }: { session: Session }) {
  const navigate = useNavigate()
  const items = [
    {
      key: 'who',
      disabled: true,
      label: (
        <div className="who">
          <b>{profile.suNickname}</b>
          <span>
            {profile.username} · {profile.schName}
          </span>
          <span>{profile.roles.map((role) => role.srName).join('、')}</span>
        </div>
      ),
    },
    { type: 'divider' as const },
    { key: 'account', label: '账号与设备', onClick: () => void navigate('/personalCenter/account') },
    { key: 'password', label: '修改密码', onClick: () => void navigate('/personalCenter/modifyPwd') },
    {
      key: 'leave',
      label: '退出登录',
      // the login page ends the session, so that unsaved work can still hold the person back
      onClick: () => void navigate('/', { state: { signOut: true } }),
    },
    { type: 'divider' as const },
    { key: 'version', disabled: true, label: <Version /> },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <button type="button" className="user-button">
        <span className="avatar" aria-hidden="true">
          {profile.suNickname.slice(0, 1)}
        </span>
        <span className="user-name">
          {profile.suNickname}
          <small>{profile.schName}</small>
        </span>
        <span className="visually-hidden">个人菜单</span>
        <DownOutlined className="user-caret" />
      </button>
    </Dropdown>
  )
}
