import type { Unsaved } from '../core/service/tab.ts'

/** What somebody is told who is about to leave tabs with unsaved work: how many they are, and what becomes of it. */
export function unsavedText(works: readonly Unsaved[], way: '关闭' | '刷新' | '离开'): string {
  const lost = works.filter((one) => one === 'lost').length
  const begin = `有 ${works.length} 个页签的内容尚未保存，`
  if (lost === works.length) return `${begin}${way}后将丢失。`
  const kept = works.includes('partlyKept') ? '（证件、电话等敏感内容除外）' : ''
  if (lost > 0) return `${begin}其中 ${lost} 个${way}后将丢失，其余在本机留有草稿${kept}，再次打开时可以恢复。`
  return `${begin}本机留有草稿${kept}，再次打开时可以恢复。`
}
