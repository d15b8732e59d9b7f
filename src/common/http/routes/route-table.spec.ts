import express from 'express';
import fc from 'fast-check';
import { RouteTable } from './route-table.js';

function tableOf(...routes: [method: 'get' | 'post' | 'put' | 'delete', path: string][]): RouteTable {
  const app = express();
  for (const [method, path] of routes) app[method](path, (_request, response) => response.end());
  return new RouteTable(app);
}

describe('RouteTable', () => {
  const table = tableOf(
    ['get', '/api/cms/types'],
    ['get', '/api/cms/types/:name'],
    ['get', '/api/cms/:type'],
    ['post', '/api/cms/:type'],
    ['get', '/api/cms/:type/-/trash'],
    ['get', '/api/cms/:type/:id'],
    ['delete', '/api/cms/:type/:id'],
    ['post', '/only/post'],
  );

  it.each([
    ['/api/cms/types', ['GET', 'HEAD']],
    ['/api/cms/types/', ['GET', 'HEAD']],
    ['/API/cms/types', []],
    ['/api/cms/Types', ['GET', 'HEAD', 'POST']],
    ['/api/cms/types/post', ['GET', 'HEAD']],
    ['/api/cms/post', ['GET', 'HEAD', 'POST']],
    ['/api/cms/post/1', ['DELETE', 'GET', 'HEAD']],
    ['/api/cms/post/-/trash', ['GET', 'HEAD']],
    ['/only/post', ['POST']],
    ['/', []],
    ['', []],
    ['/api/cms', []],
    ['/api/cms/', []],
    ['/api/cms//', []],
    ['//', []],
    ['/api/cms/post/1/2', []],
  ])('knows that %s takes %p', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });

  it('answers for any path without failing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webPath(), fc.string({ unit: 'binary' })), (path) => {
        expect(Array.isArray(table.methodsOf(path))).toBe(true);
      }),
    );
  });
});
