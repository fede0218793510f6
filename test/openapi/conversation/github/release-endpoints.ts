import { createHash } from 'node:crypto';
import { headerOf } from '../../support/recording-server.ts';
import { readJson } from '../support/fake-api.ts';
import type { Endpoints } from '../support/fake-api.ts';
import { exampleOf, fail, NOT_FOUND, toPage } from './github-responses.ts';

interface Release {
  readonly id: number;
  readonly tag_name: string;
  readonly upload_url: string;
}

interface Asset {
  readonly name: string;
  readonly label: string | null;
  readonly size: number;
  readonly digest: string;
  readonly content_type: string;
}

/** Releases of acme/shop. Assets are uploaded to a host of their own. */
export function releaseEndpoints(origins: { readonly api: () => string; readonly uploads: () => string }): {
  readonly api: Endpoints;
  readonly uploads: Endpoints;
} {
  const releases: Release[] = [];
  const assets: Asset[] = [];
  const api: Endpoints = {
    'GET /repos/acme/shop/releases': (request) => toPage(releases, request, origins.api()),
    'POST /repos/acme/shop/releases': (request) => {
      const given = readJson<{ tag_name: string; name: string }>(request);
      if (given?.tag_name === undefined) return fail(422, 'Validation Failed');
      const id = releases.length + 1;
      const upload_url = `${origins.uploads()}/repos/acme/shop/releases/${id}/assets{?name,label}`;
      const release = { ...exampleOf<Release>('repos/create-release'), ...given, id, upload_url, assets: [] };
      releases.push(release);
      const location = `${origins.api()}/repos/acme/shop/releases/${id}`;
      return { status: 201, headers: { location }, body: release };
    },
    'GET /repos/acme/shop/releases/{id}/assets': (request) => toPage(assets, request, origins.api()),
  };
  const uploads: Endpoints = {
    'POST /repos/acme/shop/releases/{id}/assets': (request) => {
      const { path, query, body } = request;
      if (!releases.some(({ id }) => String(id) === path['id'])) return NOT_FOUND;
      const name = query.get('name');
      const type = headerOf(request, 'content-type');
      if (name === null || type === undefined || headerOf(request, 'content-length') !== String(body.length))
        return fail(400, 'Bad Request');
      if (assets.some((asset) => asset.name === name))
        return fail(422, 'Validation Failed', [
          { resource: 'ReleaseAsset', code: 'already_exists', field: 'name' },
        ]);
      const asset = {
        ...exampleOf<Asset>('repos/upload-release-asset'),
        name,
        label: query.get('label'),
        size: body.length,
        digest: `sha256:${createHash('sha256').update(body).digest('hex')}`,
        content_type: type,
      };
      assets.push(asset);
      return { status: 201, body: asset };
    },
  };
  return { api, uploads };
}
