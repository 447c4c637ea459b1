import { newsStatus } from '../../../contract/core/codes/platform.ts'
import { newsApi, newsTypeApi } from '../../../contract/platform/news/news.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { exportNews, exportTypes } from './list-exports.ts'
import { keptNews, keptType } from './kept-forms.ts'
import { listNews, newsDetail, newsOptions, shownNews } from './news.queries.ts'
import { addNews, publishNews, readNews, removeNews, showNews, updateNews } from './news.service.ts'
import { addType, listTypes, removeTypes, typeOptions, updateType } from './types.service.ts'

export const newsRoutes = [
  ...routes(
    newsApi,
    {
      list: listNews,
      exportList: exportNews,
      shown: shownNews,
      detail: newsDetail,
      read: readNews,
      options: newsOptions,
      add: addNews,
      update: updateNews,
      publish: (ctx, input) => publishNews(ctx, input, newsStatus.published),
      cancel: (ctx, input) => publishNews(ctx, input, newsStatus.unpublished),
      show: showNews,
      remove: removeNews,
    },
    { update: keptNews },
  ),
  ...routes(
    newsTypeApi,
    {
      all: typeOptions,
      list: listTypes,
      exportList: exportTypes,
      add: addType,
      update: updateType,
      remove: removeTypes,
    },
    { update: keptType },
  ),
]
