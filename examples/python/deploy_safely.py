#!/usr/bin/env python3
"""Creates, deploys, changes and deletes a stack over a network that loses requests and responses.

It makes each change once, and overwrites nothing that someone else saved. It needs nothing but
Python.

    SERVER=http://localhost:8080 TOKEN=cst_... python3 deploy_safely.py hello compose.yaml
"""

import http.client
import json
import os
import pathlib
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

SERVER = os.environ.get("SERVER", "http://localhost:8080")
TOKEN = os.environ.get("TOKEN", "")
NAME = sys.argv[1] if len(sys.argv) > 1 else "hello"
FILE = sys.argv[2] if len(sys.argv) > 2 else "compose.yaml"
STACK = f"/api/v1/stacks/{NAME}"

# How long one request is sent again and again, in seconds.
PATIENCE = 600
# What passes without a change of the request or of anything else.
PASSING = {"engine-busy", "lease-held", "overloaded", "store-unavailable", "timeout"}


class ServiceError(Exception):
    """A request that the service refused."""


class Answer:
    """A response of the service."""

    def __init__(self, status, headers, content):
        self.status = status
        self.headers = headers
        self.reason = headers.get("X-Error-Reason")
        self.json = self._parse(content) if content else None

    def _parse(self, content):
        try:
            return json.loads(content)
        except ValueError:
            # A proxy describes an error in HTML. Half of another response is one that was lost.
            if self.status < 400:
                raise
            return None

    def retry_after(self):
        """Seconds for which not to send the request again; 0 if the header has a date."""
        value = self.headers.get("Retry-After", "")
        return float(value) if value.isdecimal() else 0.0

    def passes(self):
        return self.status in (502, 503, 504) or self.reason in PASSING

    def expect(self, *statuses):
        if self.status in statuses:
            return self
        raise ServiceError(f"{self.status} {(self.json or {}).get('error', '')}")


def send(method, path, body, headers):
    """Sends a request once."""
    data = None if body is None else json.dumps(body).encode()
    url = urllib.parse.urljoin(SERVER, path)
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        # The service answers within 55 seconds where it is asked to wait.
        with urllib.request.urlopen(request, timeout=70) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, error.read())


def request(method, path, body=None, if_match=None):
    """Returns the response to a request. Sends it again if the connection was lost, and while
    something is busy or away."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    if if_match:
        headers["If-Match"] = if_match
    if method == "POST":
        # The same key however often this is sent: the service runs it once.
        headers["Idempotency-Key"] = str(uuid.uuid4())
    give_up = time.monotonic() + PATIENCE
    pause = 0.5
    while True:
        problem, least = "the response was lost", 0.0
        try:
            answer = send(method, path, body, headers)
            if not answer.passes():
                return answer
            problem, least = answer.reason, answer.retry_after()
        except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
            problem = str(error)
        if time.monotonic() > give_up:
            raise ServiceError(f"{method} {path}: {problem}")
        time.sleep(max(least, pause * random.uniform(0.5, 1)))
        pause = min(pause * 2, 15)


def wait(started):
    """Waits for the end of a deployment, whose address is in a 202."""
    location = started.headers["Location"]
    while True:
        answer = request("GET", f"{location}?wait_seconds=55")
        # The deployments of a stack that is deleted are deleted with it.
        if answer.status == 404 and started.json["kind"] == "remove":
            return
        deployment = answer.expect(200).json
        if deployment["status"] == "succeeded":
            return
        if deployment["status"] != "running":
            raise ServiceError(deployment["error"] or deployment["status"])


def create(compose):
    request("POST", "/api/v1/stacks", {"name": NAME, "compose": compose}).expect(201)
    print(f"{NAME}: created")


def read():
    """Returns the stack, with the ETag of what it is now."""
    return request("GET", STACK).expect(200)


def deploy():
    """Deploys the revision that was planned, and no other."""
    plan = request("POST", f"{STACK}/plan", {}).expect(200)
    for step in plan.json:
        print(f"  {step['action']} {step['kind']} {step['name']}")
    revision = int(plan.headers["X-Revision"])
    wait(request("POST", f"{STACK}/deploy?wait=false", {"revision": revision}).expect(202))
    print(f"{NAME}: revision {revision} is deployed")


def env_of(stack):
    """Returns the text of `.env`, which is empty if there is none. It is null if the token may not
    read it: it would then be overwritten."""
    if stack["env"] is None and any(one["path"] == ".env" for one in stack["files"]):
        raise ServiceError(".env cannot be read: the token lacks the permission stacks:secrets")
    return stack["env"] or ""


def set_variable(variable, value, seen):
    """Sets a variable in `.env`. If the stack is not as it was seen, it is read again: by whom it
    was changed does not matter, also if it was by this request, whose response was lost."""
    while True:
        before = env_of(seen.json)
        others = [one for one in before.splitlines() if not one.startswith(f"{variable}=")]
        env = "\n".join([*others, f"{variable}={value}", ""])
        if env == before:
            break
        saved = request("PUT", STACK, {"env": env}, if_match=seen.headers["ETag"])
        if saved.reason != "stale-revision":
            saved.expect(200)
            break
        print(f"{NAME}: changed since it was read, reading it again")
        seen = read()
    print(f"{NAME}: {variable} is set")


def remove(seen):
    """Deletes the stack as it was seen."""
    # 404: an earlier request deleted it, and its response was lost.
    answer = request("DELETE", f"{STACK}?wait=false", if_match=seen.headers["ETag"])
    if answer.expect(202, 404).status == 202:
        wait(answer)
    print(f"{NAME}: deleted")


def main():
    create(pathlib.Path(FILE).read_text(encoding="utf-8"))
    deploy()
    seen = read()
    set_variable("COLOUR", "blue", seen)
    # As someone would who read the stack before that change: this is refused at first.
    set_variable("GREETING", "hello", seen)
    deploy()
    remove(read())


if __name__ == "__main__":
    try:
        main()
    except ServiceError as error:
        sys.exit(f"{NAME}: {error}")
