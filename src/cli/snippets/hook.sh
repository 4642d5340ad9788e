#!/bin/sh
exec cargo samekey check --staged
