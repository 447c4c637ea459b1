import { newsStatus } from '../../../contract/core/codes/platform.ts'
import { newsTypeApi } from '../../../contract/platform/news/news.calls.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import type { ChipTone } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'

export const newsPaths = {
  list: '/newsAdmin/newsList',
  add: '/newsAdmin/newsList/add',
  edit: (niId: string) => `/newsAdmin/newsList/edit?niId=${niId}`,
  detail: (niId: string) => `/newsAdmin/newsList/detail?niId=${niId}`,
}

export const newsTones: Record<string, ChipTone> = {
  [newsStatus.draft]: 'draft',
  [newsStatus.published]: 'published',
  [newsStatus.unpublished]: 'refused',
}

/** The school's types of news. */
export const useNewsTypes = (): Choice[] =>
  (useCall(newsTypeApi.all, {}, { staleTime: 60_000 }).data ?? []).map(({ ntId, ntName }) => ({
    value: ntId,
    label: ntName,
  }))
