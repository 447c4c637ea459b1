// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import type { Location } from 'react-router'
import { elementsAt, groupOf, parentOf } from './menu.ts'
import { fallbackTab, maxTabs, screenAt, tabKey, visit, type OpenTab, type Screen } from './tabs.ts'

const screen = (path: string, hidden = false): Screen => ({ path, title: path, hidden })
const location = (pathname: string, search = ''): Location => ({
  pathname,
  search,
  hash: '',
  state: null,
  key: pathname + search,
})
const open = (count: number): OpenTab[] =>
  Array.from({ length: count }).reduce<OpenTab[]>(
    (tabs, _, at) => visit(tabs, screen(`/s${at}`), location(`/s${at}`), new Set()),
    [],
  )

describe('tabs', () => {
  it('a menu screen has one tab whatever its filters, a hidden one a tab per record', () => {
    expect(tabKey(screen('/list'), '?ciName=a&lsId=1')).toBe('/list')
    expect(tabKey(screen('/detail', true), '?liId=1&tab=people&lsId=7')).toBe('/detail?liId=1')
    expect(tabKey(screen('/detail', true), '?id=9')).toBe('/detail?id=9')
    expect(tabKey(screen('/add', true), '')).toBe('/add')
    expect(tabKey(screen('/add', true), '?from=x')).toBe('/add?from=x')
    expect(tabKey(screen('/add', true), '?copy=x')).toBe('/add?copy=x')
  })
  it('a further visit keeps the place and remembers the address', () => {
    const tabs = visit(open(3), screen('/s0'), location('/s0', '?current=2'), new Set())
    expect(tabs.map((tab) => tab.key)).toEqual(['/s0', '/s1', '/s2'])
    expect(tabs[0]!.location.search).toBe('?current=2')
    expect(fallbackTab(tabs, new Set(['/s0']))!.key).toBe('/s2')
  })
  it('the thirteenth takes the place of the one longest unused', () => {
    const full = visit(open(maxTabs), screen('/s0'), location('/s0'), new Set())
    const keys = visit(full, screen('/new'), location('/new'), new Set()).map((tab) => tab.key)
    expect(keys).toHaveLength(maxTabs)
    expect(keys).toContain('/s0')
    expect(keys).not.toContain('/s1')
  })
  it('unsaved work is never closed', () => {
    const dirty = new Set(open(maxTabs).map((tab) => tab.key))
    expect(visit(open(maxTabs), screen('/new'), location('/new'), dirty)).toHaveLength(maxTabs + 1)
  })
})

describe('menu', () => {
  const page = (path: string, hidden = false) => ({ path, title: path, hidden, elements: [`${path}:x`] })
  const menu = [
    { title: '首页', pages: [page('/home')] },
    {
      title: '个人中心',
      pages: [
        page('/personalCenter/modifyPwd'),
        page('/personalCenter/modifyPwd/help', true),
        page('/personalCenter/modifyPwdDetail', true),
        page('/personalCenter/addModifyPwd', true),
      ],
    },
  ]
  it('tells rights and group of a screen', () => {
    expect(elementsAt(menu, '/home')).toEqual(['/home:x'])
    expect(elementsAt(menu, '/nowhere')).toBeUndefined()
    expect(groupOf(menu, '/personalCenter/modifyPwd')).toBe('个人中心')
  })
  it('a built screen the menu does not hold is known without a title, an unbuilt one is not', () => {
    expect(screenAt([], '/home')).toEqual({ path: '/home', title: '无权限', hidden: false })
    expect(screenAt(menu, '/home')?.title).toBe('/home')
    expect(screenAt(menu, '/personalCenter/addModifyPwd')).toBeUndefined()
  })
  it.each(['/personalCenter/modifyPwd/help', '/personalCenter/modifyPwdDetail', '/personalCenter/addModifyPwd'])(
    '%s hangs under its menu screen',
    (path) => expect(parentOf(menu, path)?.path).toBe('/personalCenter/modifyPwd'),
  )
  it('a menu screen hangs under none', () => expect(parentOf(menu, '/personalCenter/modifyPwd')).toBeUndefined())
})
