import { Menu, type MenuProps } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { MenuGroup } from '../../contract/school/session/session.calls.ts'
import { useBrand } from '../core/service/brand.ts'
import { groupIcon } from './group-icons.tsx'
import { groupOf, parentOf } from './menu.ts'
import { Mark } from './public-frame.tsx'
import { useSession } from './session.ts'
import { addressOf, type OpenTab } from './tabs.ts'

interface SideMenuProps {
  groups: MenuGroup[]
  path: string
  isNarrow: boolean
  tabs: readonly OpenTab[]
}

/** The menu in groups. A screen that is open already is returned to as it was left. */
export function SideMenu({ groups, path, isNarrow, tabs }: SideMenuProps) {
  const menu = useSession()?.menu ?? []
  const selected = parentOf(menu, path)?.path ?? path
  const group = groupOf(menu, path)
  const [open, setOpen] = useState<string[]>(group ? [group] : [])
  useEffect(() => {
    if (group) setOpen((now) => (now.includes(group) ? now : [...now, group]))
  }, [group])

  const items = useMemo<MenuProps['items']>(() => {
    const link = (page: MenuGroup['pages'][number]) => {
      const tab = tabs.find((one) => one.key === page.path)
      return <Link to={tab ? addressOf(tab.location) : page.path}>{page.title}</Link>
    }
    return groups.map(({ title, pages }) => {
      const single = pages.length === 1 && pages[0]!.title === title ? pages[0]! : undefined
      if (single) return { key: single.path, icon: groupIcon(title), label: link(single), title }
      return {
        key: title,
        icon: groupIcon(title),
        label: title,
        children: pages.map((page) => ({ key: page.path, label: link(page), title: page.title })),
      }
    })
  }, [groups, tabs])

  return (
    <nav className="side-menu" aria-label="主菜单">
      <Menu
        mode="inline"
        inlineCollapsed={isNarrow}
        inlineIndent={16}
        items={items ?? []}
        selectedKeys={[selected]}
        {...(isNarrow ? {} : { openKeys: open, onOpenChange: setOpen })}
      />
    </nav>
  )
}

export function Brand({ isNarrow }: { isNarrow: boolean }) {
  const logo = useBrand()
  return (
    <div className="brand">
      {logo ? <img className="mark" src={logo} alt="" /> : <Mark />}
      {!isNarrow && <span>第二课堂管理平台</span>}
    </div>
  )
}
