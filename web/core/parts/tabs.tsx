import { Tabs as KitTabs, type TabsProps } from 'antd'
import type { ComponentRef } from 'react'

/**
 * Tabs over the parts of a page. The kit calls the whole bar a list of tabs, and in a narrow window the button to those
 * without room stands among them: a list that holds anything else is none to a screen reader.
 */
export const Tabs = (props: TabsProps) => <KitTabs {...props} ref={listOnlyTabs} />

/** Moves the role from the bar to what holds its tabs alone; each time that the tabs come to the front. */
function listOnlyTabs(tabs: ComponentRef<typeof KitTabs> | null): void {
  const bar = tabs?.nativeElement?.querySelector('.ant-tabs-nav')
  bar?.removeAttribute('role')
  bar?.removeAttribute('aria-orientation')
  bar?.querySelector('.ant-tabs-nav-list')?.setAttribute('role', 'tablist')
}
